import Bytes
import Dispatch
import Foundation
import Synchronization
import Templating
import Testing

/// Templates that would not end, or need too much, are given up.
@Suite struct LimitTests {
    @Test(arguments: [
        ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "nest deeper than 100"),
        ("{% if true %}{% include 't.html' %}{% endif %}", "nest deeper than 100"),
        ("{% set n = 't.html' %}{% include n %}", "nest deeper than 100"),
        ("{% set n = 't.html' %}{% extends n %}", "nest deeper than 100"),
        ("{% block a %}{{ self.a() }}{% endblock %}", "nest deeper than 100"),
        ("{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}", "nest deeper than 100"),
        (
            "{% macro m(n) %}{% call m(n) %}{% endcall %}{{ caller }}{% endmacro %}{{ m(1) }}",
            "nest deeper"
        ),
        ("{{ range(10 ** 12) | length }}", "exceeds the limit"),
        ("{{ range(-9223372036854775807, 9223372036854775807) }}", "exceeds the limit"),
        ("{{ 'x' * 10 ** 12 }}", "exceeds the limit"),
        ("{{ [0] * 10 ** 12 }}", "exceeds the limit"),
        ("{{ 'x' | center(10 ** 12) }}", "exceeds the limit"),
        ("{{ '%1000000000d' % 1 }}", "exceeds the limit"),
        ("{{ '{:1000000000}'.format(1) }}", "exceeds the limit"),
        ("{{ 'x' | indent(10 ** 12) }}", "exceeds the limit"),
        ("{{ ('a' * 1000000) | replace('a', 'b' * 1000) | length }}", "exceeds the limit"),
        (
            """
            {% set ns = namespace(x=[]) %}{% for i in range(1000) %}{% set ns.x = [ns.x] %}{% endfor %}
            """, "nest deeper than 100"
        ),
        (
            """
            {% set ns = namespace(x=[1]) %}{% for i in range(60) %}\
            {% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x }}
            """, "does not come to an end"
        ),
        (
            """
            {% set ns = namespace(x='ab') %}{% for i in range(60) %}\
            {% set ns.x = ns.x ~ ns.x %}{% endfor %}
            """, "does not come to an end"
        ),
        (
            """
            {% for i in range(100000) %}{% for j in range(100000) %}{% endfor %}{% endfor %}
            """, "does not come to an end"
        ),
        (
            """
            {% set x = 'x' * 1000000 %}{% for i in range(1000) %}{{ x }}{% endfor %}
            """, "the output exceeds"
        ),
        (
            """
            {% macro m(n) %}{% for i in range(10) %}{{ m(n) if n < 9 else '' }}{{ m(n + 1) if n < 9 }}\
            {% endfor %}{% endmacro %}{{ m(0) }}
            """, "nest deeper"
        ),
    ])
    func endsInAnError(_ source: String, _ expected: String) {
        let host = RenderHost()
        host.limits.steps = 300_000
        host.limits.outputSize = 8 << 20
        let shown = Site(["t.html": source]).render(host: host)
        #expect(shown.contains(expected) && shown.hasPrefix("t.html:"), "\(shown.prefix(300))")
    }

    // Each of the names was compared with those before it, and put into the
    // message: 18 seconds.
    @Test(.timeLimit(.minutes(1)), arguments: ["include", "import"])
    func manyNamesOfTemplatesThatAreNotThere(_ tag: String) {
        let end = tag == "import" ? " as m" : ""
        let shown = Site(["t.html": "{% set b = range(100000) %}{% \(tag) b\(end) %}"]).render()
        #expect(shown.hasPrefix("t.html:1:"))
        #expect(shown.utf8.count < 2000)
    }

    @Test(arguments: [
        String(repeating: "(", count: 5000) + "1" + String(repeating: ")", count: 5000),
        String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000),
        String(repeating: "-", count: 5000) + "1",
        String(repeating: "not ", count: 5000) + "1",
        "1" + String(repeating: " + 1", count: 5000),
        "1" + String(repeating: " ** 1", count: 5000),
        "x" + String(repeating: ".a", count: 5000),
        "x" + String(repeating: "[0]", count: 5000),
        "x" + String(repeating: "|abs", count: 5000),
        "1" + String(repeating: " if 1 else 1", count: 5000),
        "range(" + String(repeating: "range(", count: 5000),
        "1 is odd" + String(repeating: " is odd", count: 5000),
    ])
    func deepExpressionsAreRefused(_ expression: String) {
        let site = Site(["t.html": "{{ \(expression) }}"])
        #expect(!site.diagnostics.isEmpty)
    }

    @Test func longFlatExpressionsAreFine() {
        let sum = "{{ 1" + String(repeating: " ~ 1", count: 5000) + " }}"
        #expect(Site(["t.html": sum]).render().utf8.count == 5001)
        let any = "{{ 0" + String(repeating: " or 0", count: 5000) + " }}"
        #expect(Site(["t.html": any]).render() == "0")
    }

    @Test func deepTagsAreRefused() {
        let source =
            String(repeating: "{% if 1 %}", count: 3000)
            + String(repeating: "{% endif %}", count: 3000)
        #expect(Site(["t.html": source]).render().contains("nested deeper than 50 levels"))
    }

    /// The deepest that is allowed, on the smallest stack a thread has.
    @Test func theDeepestTemplateNeedsLittleStack() {
        let depth = 48
        let parts = [
            "{{ " + String(repeating: "(", count: depth) + "1"
                + String(repeating: ")", count: depth)
                + " }}",
            "{{ " + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
                + " }}",
            String(repeating: "{% if 1 %}", count: depth) + "x"
                + String(repeating: "{% endif %}", count: depth),
            String(repeating: "{% for i in [1] %}", count: depth) + "x"
                + String(repeating: "{% endfor %}", count: depth),
            (0..<depth).map { "{% macro m\($0)() %}" }.joined()
                + String(repeating: "{% endmacro %}", count: depth),
            "{{ " + String(repeating: "-", count: depth) + "1 }}",
            "{% macro d(n) %}{{ d(n - 1) if n else 'end' }}{% endmacro %}{{ d(90) }}",
        ]
        let source = parts.joined(separator: "\n")
        let result = OnThread(stackSize: 512 << 10) { Site(["t.html": source]).render() }.value
        #expect(result?.hasSuffix("end") == true, "\(result ?? "nothing")")
    }
}

/// Runs a closure on a thread with a stack of a size, and waits for it.
private struct OnThread {
    let value: String?

    init(stackSize: Int, _ body: @escaping @Sendable () -> String) {
        let box = Box()
        let thread = Thread {
            box.set(body())
        }
        thread.stackSize = stackSize
        thread.start()
        value = box.wait()
    }

    private final class Box: Sendable {
        private let done = DispatchSemaphore(value: 0)
        private let result = Mutex<String?>(nil)

        func set(_ text: String) {
            result.withLock { $0 = text }
            done.signal()
        }

        func wait() -> String? {
            done.wait()
            return result.withLock { $0 }
        }
    }
}
