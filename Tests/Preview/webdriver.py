"""Drives a real browser by W3C WebDriver, over HTTP, with nothing but Python.

Only what the checks need; https://www.w3.org/TR/webdriver2/ has the rest.
"""

import base64
import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"enter": "\ue007", "escape": "\ue00c", "delete": "\ue017", "tab": "\ue004",
        "down": "\ue015", "up": "\ue013", "control": "\ue009", "backspace": "\ue003",
        "end": "\ue010", "home": "\ue011"}


class Missing(Exception):
    """What drives the browser is not here."""


class Late(Exception):
    """What was waited for did not come."""


def wait(what, is_true, seconds=60):
    """Waits until something holds; for long, since the machine may be busy."""
    end = time.monotonic() + seconds
    while True:
        try:
            found = is_true()
            if found:
                return found
        except urllib.error.URLError:
            pass
        if time.monotonic() > end:
            raise Late(f"{what} did not come")
        time.sleep(0.02)


class Driver:
    """chromedriver, ended with the context."""

    def __init__(self):
        program = shutil.which("chromedriver")
        browser = shutil.which("chromium") or shutil.which("chromium-browser")
        if not program or not browser:
            raise Missing("chromium-driver is not installed")
        self.browser = browser
        self.process = subprocess.Popen(
            [program, "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self.process.stdout:
            if "started successfully on port" in line:
                self.url = f"http://127.0.0.1:{int(line.split()[-1].rstrip('.'))}"
                return
        raise Missing("chromedriver does not start")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()

    def session(self, width=1280, height=900, dark=False, touch=False):
        arguments = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage",
                     f"--window-size={width},{height}", "--autoplay-policy=no-user-gesture-required",
                     "--hide-scrollbars", "--lang=en-GB"]
        if dark:
            arguments.append("--force-dark-mode")
        return Session(self.url, {"alwaysMatch": {"goog:chromeOptions": {
            "binary": self.browser, "args": arguments},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}, width, height, dark, touch)


class Session:
    """One browser with its tabs."""

    def __init__(self, url, capabilities, width, height, dark, touch):
        self.url = url
        answer = self.call("POST", "/session", {"capabilities": capabilities})
        self.url = f"{url}/session/{answer['sessionId']}"
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height,
                 deviceScaleFactor=1, mobile=touch)
        self.cdp("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        if touch:
            self.cdp("Emulation.setTouchEmulationEnabled", enabled=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.call("DELETE", "")

    def call(self, method, path, body=None):
        data = json.dumps(body or {}).encode() if method == "POST" else None
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={
            "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=120) as response:
                return json.load(response)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise RuntimeError(f"{value['error']}: {value['message'][:400]}") from None

    def cdp(self, command, **params):
        return self.call("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def go(self, url):
        self.call("POST", "/url", {"url": url})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        found = self.call("POST", "/element", {"using": "css selector", "value": selector})
        return found[ELEMENT]

    def click(self, selector):
        """Clicks on an element; found again where the page has just drawn it anew."""
        for _ in range(20):
            try:
                return self.call("POST", f"/element/{self.find(selector)}/click")
            except RuntimeError as error:
                if not str(error).startswith("stale element"):
                    raise
        raise Late(f"{selector} that stays")

    def type(self, selector, text):
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys together, and lets them go."""
        codes = [KEYS.get(key, key) for key in keys]
        down = [{"type": "keyDown", "value": code} for code in codes]
        up = [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self.call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keys", "actions": down + up}]})

    def swipe(self, selector, by):
        """Moves a finger sideways over an element."""
        box = self.run("const b = document.querySelector(arguments[0]).getBoundingClientRect();"
                       "return [b.left + b.width / 2, b.top + b.height / 2]", selector)
        x, y = int(box[0]), int(box[1])
        self.call("POST", "/actions", {"actions": [
            {"type": "pointer", "id": "finger", "parameters": {"pointerType": "touch"}, "actions": [
                {"type": "pointerMove", "duration": 0, "x": x, "y": y},
                {"type": "pointerDown", "button": 0},
                {"type": "pointerMove", "duration": 200, "x": x + by, "y": y},
                {"type": "pointerUp", "button": 0}]}]})

    def tab(self):
        """Opens a tab and goes there; its name."""
        name = self.call("POST", "/window/new", {"type": "tab"})["handle"]
        self.switch(name)
        return name

    def switch(self, name):
        self.call("POST", "/window", {"handle": name})

    def tabs(self):
        return self.call("GET", "/window/handles")

    def close_tab(self):
        self.call("DELETE", "/window")

    def frame(self, selector=None):
        target = {ELEMENT: self.find(selector)} if selector else None
        self.call("POST", "/frame", {"id": target})

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", "/screenshot")))

    def until(self, what, script, *arguments, seconds=60):
        return wait(what, lambda: self.run(script, *arguments), seconds)
