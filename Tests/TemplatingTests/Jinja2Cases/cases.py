"""The cases: sets of templates, of which the main one is rendered with CONTEXT."""

from markupsafe import Markup

CONTEXT = {
    "name": "World",
    "html": "<b>\"bold\" & 'x'</b>",
    "safe": Markup("<i>ok & fine</i>"),
    "n": 7,
    "big": 123456789,
    "f": 2.5,
    "tenth": 0.1,
    "neg": -3,
    "zero": 0,
    "yes": True,
    "no": False,
    "nothing": None,
    "items": [3, 1, 2],
    "names": ["bob", "Alice", "carol", "alice"],
    "mixed": ["<a>", Markup("<b>"), 3, None, True, 1.5],
    "d": {"b": 2, "a": 1, "C": 3},
    "users": [
        {"name": "Bob", "age": 30, "city": "Oslo", "tags": ["x", "y"]},
        {"name": "alice", "age": 25, "city": "Rome", "tags": []},
        {"name": "Carol", "age": 30, "city": "Oslo", "tags": ["z"]},
        {"name": "dave", "age": 41, "city": "oslo", "tags": ["x"]},
    ],
    "tree": [
        {"title": "A", "children": [{"title": "A1", "children": []}, {"title": "A2", "children": [{"title": "A2a", "children": []}]}]},
        {"title": "B", "children": []},
    ],
    "empty": [],
    "text": "The quick brown fox jumps over the lazy dog.",
    "lines": "one\ntwo\n\nthree",
    "pair": (1, "two"),
    "pairs": [(1, "a"), (2, "b"), (3, "c")],
    "uni": "Ünïcödé ß Ωμέγα",
    "blank": "",
    "padded": "  inner  text \n",
    "seq": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    "words": "alpha beta gamma delta",
    "numeric": "42",
    "decimal": "3.75",
    "nested": {"x": {"y": [10, {"z": "deep"}]}},
    "address": "see https://example.com/a?b=1&c=2, www.test.org or me@example.com.",
}

CASES = []


def case(group, main, **templates):
    """One case; template names are given with `__` for the dot."""
    number = sum(1 for c in CASES if c["group"] == group) + 1
    sources = {key.replace("__", "."): value for key, value in templates.items()}
    if isinstance(main, tuple):
        main_name, main = main
    else:
        main_name = "main.html"
    sources[main_name] = main
    CASES.append({"group": group, "id": f"{group}-{number}", "main": main_name, "templates": sources})


def cases(group, *sources):
    for source in sources:
        case(group, source)


cases(
    "print",
    "Hello {{ name }}!", "{{ html }}", "{{ safe }}", "{{ html|safe }}", "{{ n }} {{ f }} {{ neg }}",
    "{{ yes }} {{ no }} {{ nothing }}", "{{ items }}", "{{ names }}", "{{ d }}", "{{ pair }}",
    "{{ mixed }}", "{{ (1,) }} {{ () }} {{ [] }} {{ {} }}", "{{ 'a' 'b' }}", "{{ \"it's\" }}",
    "{{ ['it\\'s', 'say \"x\"', 'both \\' \"'] }}", "{{ uni }}", "{{ nested }}",
    "{{ 1.0 }} {{ 1e16 }} {{ 1e15 }} {{ 0.0001 }} {{ 0.00001 }} {{ 123456789.125 }} {{ 1.2e16 }} {{ 1e100 }} {{ 1e-7 }}",
    "{{ 0.1 + 0.2 }} {{ 1/3 }} {{ 100.0 }} {{ 1e22 }} {{ 2.5e-5 }}",
    "{{ 'tab\\tnew\\nline' }}", "{{ ['tab\\tnew\\nline\\\\'] }}", "{{ '\\x41\\u00e9\\101\\q' }}",
    "{{ true }} {{ True }} {{ none }} {{ None }} {{ false }}", "{{ 1_000 }} {{ 0x1F }} {{ 0b101 }} {{ 0o17 }}",
    "{{ [safe] }}", "{{ ['é', 'ñ'] }}", "{% print name, 'x' %}", "{{ name }}{{ name }}", "{{ 'a', 'b' }}",
    "{{ -0.0 }} {{ 5e-324 }} {{ 1.7976931348623157e308 }}", "{{ ['\\x00\\x7f\\u200b'] }}",
)
cases(
    "whitespace",
    "a\n", "a\n\n", "\n", "", "a\r\nb\r\n", "a  {{- name -}}  b", "a \n {%- if yes -%} \n b \n {%- endif -%} \n c",
    "  {% if yes %}\n  x\n  {% endif %}\n", "{% for i in items -%}\n  {{ i }}\n{%- endfor %}", "{#- c -#} x", "a {#- c -#} b",
    "a {# c #} b", "a {%+ if yes +%} b {% endif %}", "{{ name -}}\n\n\n{{- name }}", "a{# multi\nline #}b",
    "{% raw %}{{ not }} {% tags %}{% endraw %}", "a {%- raw -%}  {{ x }}  {%- endraw -%} b", "{% raw -%} x {%- endraw %}",
    "{%raw%}{#{%endraw%}", "{{name}}", "{{\n  name\n}}", "{%- set x = 1 -%} {{ x }}", "x {{ '' -}} y", "{# a {{ b }} {% c %} #}z",
    "{{ '{{' }} {{ '%}' }}", "{{ {'a': {'b': 1}}.a.b }}", "{% if yes %}{% endif %}\n{{ n }}", "a\u00a0{{- name -}}\u2003b",
    "{#-#}x", "{ { } } {% raw %}{% raw %}{% endraw %}",
)
cases(
    "operators",
    "{{ 1 + 2 * 3 }}", "{{ (1 + 2) * 3 }}", "{{ 7 / 2 }} {{ 6 / 2 }}", "{{ 7 // 2 }} {{ -7 // 2 }} {{ 7 // -2 }}",
    "{{ 7 % 3 }} {{ -7 % 3 }} {{ 7 % -3 }}", "{{ 2 ** 10 }}", "{{ 2 ** 3 ** 2 }}", "{{ -2 ** 2 }}", "{{ 2 ** -1 }}",
    "{{ 7.5 // 2 }} {{ -7.5 % 2 }}", "{{ 'a' ~ 1 ~ none ~ 2.0 }}", "{{ 'a' + 'b' }}", "{{ 'ab' * 3 }} {{ 3 * 'ab' }}",
    "{{ [1] + [2] }} {{ [0] * 3 }}", "{{ (1,) + (2,) }}", "{{ 1 == 1.0 }} {{ 1 == true }} {{ '1' == 1 }}",
    "{{ 1 < 2 }} {{ 'a' < 'b' }} {{ [1, 2] < [1, 3] }}", "{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 3 > 2 > 1 >= 1 }}",
    "{{ 1 in items }} {{ 9 not in items }} {{ 'or' in name }} {{ 'a' in d }}", "{{ not yes }} {{ not not yes }} {{ not 1 == 2 }}",
    "{{ yes and no }} {{ no or 'x' }} {{ 0 or '' or [] }} {{ 1 and 2 }}", "{{ 'a' if yes else 'b' }} {{ 'a' if no else 'b' }}",
    "{{ 'a' if no }}|", "{{ 'x' if no else 'y' if no else 'z' }}", "{{ -n }} {{ +n }} {{ - -n }}", "{{ n|abs + 1 }}", "{{ -3|abs }}",
    "{{ 1 ~ 2 + 3 }}", "{{ 'x' ~ 'y' in 'axyb' }}", "{{ yes is true and no is false }}", "{{ 5 is odd and 4 is even }}",
    "{{ html ~ '!' }}", "{{ safe ~ html }}", "{{ safe + html }}", "{{ html + safe }}", "{{ safe * 2 }}", "{{ ('<' ~ safe) }}",
    "{{ 10 - 2 - 3 }}", "{{ 2 * 3 % 4 }}", "{{ 1 if 2 > 1 else 0 + 5 }}", "{{ 3 not in [1,2] and 1 in [1] }}",
    "{{ true + true }}", "{{ 1.5 + 1 }} {{ 2 * 0.5 }}", "{{ 9007199254740993 }}", "{{ 9223372036854775807 }}",
    "{{ 'b' > 'a' }} {{ 'B' < 'a' }} {{ 'é' > 'z' }}", "{{ d == {'a': 1, 'b': 2, 'C': 3} }}", "{{ (1,2) == [1,2] }}",
    "{{ none == none }} {{ none != 0 }}", "{{ {1: 'a'}[1.0] }} {{ {1: 'a'}[true] }}", "{{ 'a' < 'b' < 'c' and 1 != 2 }}",
)
cases(
    "subscripts",
    "{{ items[0] }} {{ items[-1] }} {{ items.1 }}", "{{ d.a }} {{ d['b'] }}", "{{ nested.x.y[1].z }}", "{{ nested['x']['y'][1]['z'] }}",
    "{{ pair.0 }}{{ pair[1] }}", "{{ pairs.1.1 }}", "{{ seq[2:5] }} {{ seq[:3] }} {{ seq[7:] }} {{ seq[::3] }} {{ seq[::-1] }}",
    "{{ seq[-3:] }} {{ seq[:-8] }} {{ seq[5:2] }} {{ seq[8:2:-2] }} {{ seq[100:] }} {{ seq[-100:2] }}",
    "{{ name[0] }}{{ name[-1] }} {{ name[1:3] }} {{ name[::-1] }}", "{{ uni[0] }} {{ uni[2:6] }}", "{{ safe[:3] }}",
    "{{ pair[:1] }}", "{{ d.keys()|list }}", "{{ d.values()|list }}", "{{ d.items()|list }}",
    "{{ {'items': 5}['items'] }}", "{{ {'a': 1}.get('a') }} {{ {'a': 1}.get('b') }} {{ {'a': 1}.get('b', 9) }}", "{{ users[0]['name'] }}",
    "{{ {(1, 2): 'tuple key'}[1, 2] }}", "{{ 'abc'[1] }}", "{{ [[1, 2], [3]][0][1] }}", "{{ {'a': [1, 2]}.a[-1] }}",
)
cases(
    "methods",
    "{{ name.upper() }} {{ name.lower() }}", "{{ padded.strip() }}|{{ padded.lstrip() }}|{{ padded.rstrip() }}|", "{{ 'xxaxx'.strip('x') }}",
    "{{ words.split() }} {{ 'a,b,,c'.split(',') }}", "{{ 'a,b,c'.split(',', 1) }} {{ 'a,b,c'.rsplit(',', 1) }}", "{{ ' a  b  c '.split(none, 1) }}",
    "{{ 'a  b  c '.rsplit(none, 1) }}", "{{ name.startswith('Wo') }} {{ name.endswith(('x', 'ld')) }}", "{{ name.replace('o', '0') }} {{ 'aaa'.replace('a', 'b', 2) }} {{ 'ab'.replace('', '-') }}",
    "{{ ', '.join(names) }}", "{{ '{} and {}'.format(1, 'two') }}", "{{ '{1} {0} {x}'.format('a', 'b', x='c') }}",
    "{{ '{:>5}|{:<5}|{:^5}|{:*^7}'.format('a', 'b', 'c', 'd') }}", "{{ '{:.2f} {:5d} {:05d} {:x} {:,}'.format(3.14159, 42, 42, 255, 1234567) }}",
    "{{ '{0[a]} {1[0]}'.format({'a': 1}, [2]) }}", "{{ '{!r} {!s}'.format('a', 'b') }}", "{{ '{{}} {}'.format(1) }}",
    "{{ '{:+d} {: d} {:+.1f}'.format(5, 5, 2.25) }}", "{{ '{:e} {:g} {:g} {:%}'.format(12345.678, 0.0001, 1e10, 0.25) }}", "{{ '{:{}}|'.format('a', 4) }}",
    "{{ 'hello world'.title() }} {{ 'hELLO'.capitalize() }} {{ 'aBc'.swapcase() }}", "{{ \"they're bill's\".title() }}", "{{ 'abc'.find('c') }} {{ 'abc'.find('x') }} {{ 'abcabc'.rfind('b') }} {{ 'abc'.index('b') }}",
    "{{ 'banana'.count('an') }} {{ [1,2,1].count(1) }} {{ [1,2,1].index(2) }}", "{{ 'a'.center(5) }}|{{ 'a'.ljust(3) }}|{{ 'a'.rjust(3, '.') }}|{{ '-5'.zfill(4) }}",
    "{{ '12'.isdigit() }} {{ 'a1'.isalnum() }} {{ 'ab'.isalpha() }} {{ ' '.isspace() }} {{ 'A'.isupper() }} {{ 'a'.islower() }} {{ ''.isdigit() }}",
    "{{ 'a\\nb\\r\\nc'.splitlines() }} {{ 'a\\nb'.splitlines(true) }}", "{{ 'a=b=c'.partition('=') }} {{ 'a=b=c'.rpartition('=') }} {{ 'a'.partition('=') }} {{ 'a'.rpartition('=') }}",
    "{{ 'prefix-x'.removeprefix('prefix-') }} {{ 'x.md'.removesuffix('.md') }} {{ 'x'.removeprefix('y') }}", "{{ safe.upper() }}", "{{ safe.replace('ok', '<>') }}", "{{ safe.join(['<a>', safe]) }}",
    "{{ '<b>{}</b>'|safe }}", "{{ ('<b>{}</b>'|safe).format(html) }}", "{{ ('<b>%s</b>'|safe) % html }}", "{{ '%s-%s' % (1, 'a') }}", "{{ '%d %5.2f %-5s| %05d %x %%' % (3, 2.5, 'a', 42, 255) }}", "{{ '%(a)s %(b)d' % {'a': 'x', 'b': 2} }}",
    "{{ '%s' % [1, 2] }}", "{{ '%r' % 'a' }}", "{{ '%e %g %.3g' % (1234.5, 0.5, 1234.5) }}", "{{ safe.split('&') }}", "{{ 'ß'.upper() }} {{ 'ÀÉ'.lower() }}", "{{ 'x'.upper().lower().upper() }}", "{{ d.copy().a }}",
)
cases(
    "text-filters",
    "{{ name|upper }} {{ name|lower }}", "{{ 'foo BAR'|capitalize }}", "{{ 'hello-world (foo) [bar] <baz> it\\'s'|title }}", "{{ padded|trim }}|{{ 'xxhixx'|trim('x') }}",
    "{{ name|replace('o', '0') }} {{ 'aaa'|replace('a', 'b', 2) }}", "{{ html|replace('b', '<') }}", "{{ safe|replace('ok', '<') }}", "{{ 'a<b'|replace('<'|safe, '>') }}", "{{ '%s - %s'|format(1, html) }}", "{{ '%(x)s'|format(x=2) }}",
    "{{ 5|string ~ '' }}", "{{ text|wordcount }} {{ 'a-b c_d é'|wordcount }}", "{{ name|reverse }}", "{{ text|truncate(20) }}", "{{ text|truncate(20, true) }}", "{{ text|truncate(20, false, '…') }}", "{{ text|truncate(20, leeway=0) }} {{ 'abcdef'|truncate(5) }} {{ 'abcdef'|truncate(5, leeway=0) }}",
    "{{ html|truncate(10, true, '<') }}", "{{ lines|indent }}", "{{ lines|indent(2, true) }}", "{{ lines|indent(2, blank=true) }}", "{{ lines|indent('> ', true, true) }}", "{{ 'a'|indent }}", "{{ name|center(15) }}|", "{{ 'ab'|center(5) }}| {{ 'abc'|center(6) }}|",
    "{{ text|wordwrap(15) }}", "{{ text|wordwrap(5) }}", "{{ 'aaaaaaaaaa bb'|wordwrap(4, false) }}", "{{ 'well-known semi-automatic'|wordwrap(8) }}", "{{ 'well-known semi-automatic'|wordwrap(8, break_on_hyphens=false) }}", "{{ lines|wordwrap(3, wrapstring='/') }}",
    "{{ 'a -- b--c dash'|wordwrap(6) }}", "{{ 'x'|wordwrap }}", "{{ ''|wordwrap }}|", "{{ 42|upper }}", "{{ none|upper }}", "{{ yes|lower }}", "{{ safe|upper }}", "{{ safe|trim }}", "{{ uni|upper }} {{ uni|lower }} {{ uni|title }}",
    "{{ 'a b'|urlencode }} {{ 'é/&'|urlencode }} {{ {'a b': 'c/d', 'e': 1}|urlencode }} {{ [('x', 'y z')]|urlencode }}",
    "{{ 'a\tb'|title }} {{ ''|title }}|{{ ''|capitalize }}", "{{ 'x'|e }}{{ '<'|e }}{{ '<'|e|e }}{{ '<'|escape|forceescape }}",
)
cases(
    "markup-filters",
    "{{ html|e }}", "{{ html|escape|safe }}", "{{ safe|e }}", "{{ safe|forceescape }}", "{{ '<p>Hello <b>you</b> &amp; <!-- no <b> --> me</p>'|striptags }}", "{{ 'a &lt; b &#65; &#x42; &eacute; &nope; &'|striptags }}", "{{ 'a   b\n c'|striptags }}",
    "{{ 'a < b'|striptags }} {{ '<!-- open'|striptags }}", "<a{{ {'class': 'x y', 'id': none, 'title': '<\"'}|xmlattr }}>", "<a {{ {'b': 1}|xmlattr(false) }}>", "{{ {}|xmlattr }}|", "{{ address|urlize }}", "{{ address|urlize(10) }}", "{{ address|urlize(target='_blank', rel='me') }}", "{{ address|urlize(nofollow=true) }}",
    "{{ '(https://a.com/x_(y)) <http://b.org>. foo.com bar.net/x mailto:q@w.de'|urlize }}", "{{ 'http://1.2.3.4:80/ https://localhost http://[::1]/ www.x'|urlize }}", "{{ 'git://x y@z a@b.c @d.e tel:123'|urlize(extra_schemes=['tel:', 'git://']) }}",
    "{{ d|tojson }}", "{{ \"</script><b>&'\"|tojson }}", "{{ [1, 2.5, none, true, 'é\"\\n']|tojson }}", "{{ nested|tojson(2) }}", "{{ []|tojson }} {{ {}|tojson }} {{ []|tojson(indent=2) }}", "{{ {1: 'a', 2: [1, {}]}|tojson }}", "{{ '😀'|tojson }}", "{{ safe|tojson }}", "{{ pair|tojson }}", "{{ 1e16|tojson }} {{ 1.0|tojson }}",
    "{{ [html, safe]|join }}", "{{ [html, safe]|join('<br>') }}", "{{ [1, 2]|join('<') }}", "{{ ['<', '>']|join('<br>'|safe) }}", "{{ ('<'|safe) ~ '<' }}", "{{ [safe, 1]|join(', ') }}", "{{ ('a' ~ safe)|upper }}",
)
cases(
    "number-filters",
    "{{ -3|abs }} {{ neg|abs }} {{ (-2.5)|abs }}", "{{ '42'|int + 1 }} {{ '4.7'|int }} {{ 'x'|int }} {{ 'x'|int(5) }} {{ 'ff'|int(0, 16) }} {{ '0x1A'|int(0, 16) }} {{ none|int }}", "{{ 3.99|int }} {{ -3.99|int }} {{ true|int }} {{ ' 7 '|int }}",
    "{{ '3.75'|float }} {{ 'x'|float }} {{ 'x'|float(1.5) }} {{ 3|float }} {{ '1e3'|float }} {{ 'inf'|float }}", "{{ 42.55|round }} {{ 42.55|round(1) }} {{ 42.55|round(1, 'floor') }} {{ 42.51|round(1, 'ceil') }}", "{{ 2.5|round }} {{ 3.5|round }} {{ 2.675|round(2) }} {{ -2.5|round }} {{ 0.5|round }}", "{{ 42|round }} {{ 1234|round(-2) }} {{ 1250|round(-2) }} {{ 42.7|round|int }}", "{{ 42.3|round(method='ceil') }} {{ 42|round(0, 'floor') }}",
    "{{ 0|filesizeformat }} {{ 1|filesizeformat }} {{ 999|filesizeformat }} {{ 1000|filesizeformat }} {{ 1234567|filesizeformat }} {{ 1e12|filesizeformat }}", "{{ 1024|filesizeformat(true) }} {{ 1023|filesizeformat(true) }} {{ 1048576|filesizeformat(binary=true) }} {{ '1500'|filesizeformat }}",
    "{{ items|sum }} {{ users|sum(attribute='age') }} {{ items|sum(start=10) }} {{ []|sum }} {{ [1.5, 2]|sum }}", "{{ items|sum('0') if no else 1 }}", "{{ 1e300|round }} {{ 0.125|round(2) }} {{ 1.005|round(2) }}", "{{ '1_000'|int }} {{ '１２'|length }} {{ '-5'|int }} {{ '+5'|int }}",
)
cases(
    "sequence-filters",
    "{{ items|length }} {{ name|count }} {{ d|length }} {{ uni|length }}", "{{ items|first }} {{ items|last }} {{ name|first }} {{ name|last }} {{ d|first }}", "{{ items|sort }} {{ items|sort(reverse=true) }}", "{{ names|sort }} {{ names|sort(case_sensitive=true) }} {{ names|sort(true) }}", "{{ users|sort(attribute='age')|map(attribute='name')|list }}", "{{ users|sort(attribute='age,name')|map(attribute='name')|join(' ') }}", "{{ users|sort(attribute='city', case_sensitive=true)|map(attribute='city')|join(' ') }}",
    "{{ d|dictsort }} {{ d|dictsort(true) }} {{ d|dictsort(false, 'value') }} {{ d|dictsort(reverse=true) }}", "{% for g in users|groupby('city') %}{{ g.grouper }}:{{ g.list|map(attribute='name')|join(',') }};{% endfor %}", "{% for city, people in users|groupby('city', case_sensitive=true) %}{{ city }}={{ people|length }} {% endfor %}", "{% for g in [{'a': 1}, {}]|groupby('a', default=0) %}{{ g.grouper }} {% endfor %}", "{{ users|groupby('age')|first }}",
    "{{ names|unique|list }} {{ names|unique(true)|list }} {{ users|unique(attribute='age')|map(attribute='name')|list }} {{ [1, 1.0, true, '1']|unique|list }}", "{{ items|min }} {{ items|max }} {{ names|min }} {{ names|max }} {{ users|max(attribute='age') }}", "{{ names|map('upper')|list }} {{ items|map('string')|join }} {{ ['a']|map('replace', 'a', 'b')|list }} {{ names|map('truncate', 3, leeway=0, end='')|list }}",
    "{{ users|map(attribute='name')|list }} {{ users|map(attribute='tags.0', default='-')|list }} {{ pairs|map(attribute=1)|list }} {{ users|map(attribute='zip', default='none')|list }}", "{{ seq|select('odd')|list }} {{ seq|reject('odd')|list }} {{ [0, 1, '', 'a']|select|list }} {{ [0, 1]|reject|list }} {{ seq|select('divisibleby', 3)|list }} {{ seq|select('>', 8)|list }} {{ seq|select('in', [1, 2])|list }}",
    "{{ users|selectattr('age', '>', 28)|map(attribute='name')|list }} {{ users|rejectattr('tags')|map(attribute='name')|list }} {{ users|selectattr('city', 'equalto', 'Oslo')|list|length }} {{ users|selectattr('name', 'in', ['Bob'])|list|length }} {{ users|selectattr('zip', 'defined')|list }} {{ users|rejectattr('zip', 'defined')|list|length }}",
    "{{ names|join(', ') }} {{ users|join('-', attribute='name') }} {{ names|join }} {{ 'abc'|join('.') }} {{ []|join(',') }}|", "{{ seq|batch(3)|list }} {{ seq|batch(4, 0)|list }} {{ []|batch(2)|list }}", "{{ seq|slice(3)|list }} {{ seq|slice(4, 'x')|list }} {{ [1]|slice(3)|list }}", "{{ 'abc'|list }} {{ d|list }} {{ pair|list }} {{ range(3)|list }}", "{{ items|reverse|list }} {{ 'abc'|reverse }}",
    "{{ none|default('x') }} {{ none|default('x', true) }} {{ ''|d('x', true) }} {{ undefinedvar|default('x') }} {{ d.zzz|default('y') }} {{ undefinedvar|default }}|{{ nested.x.q|default(1) }}", "{{ d|items|list }}", "{{ users[0]|attr('name') is defined }} {{ 'a'|attr('upper')() }}", "{{ items|list|string }}", "{{ [3, 'a']|first }} {{ [none]|first }}", "{{ ['b', 'A']|sort|join }} {{ [[2], [1, 5]]|sort }} {{ [(1, 'b'), (1, 'a')]|sort }}", "{{ [true, false]|sort }} {{ [1.5, 1]|sort }}", "{{ users|map(attribute='name')|map('lower')|sort|join(',') }}",
    "{{ {'a': 1}|list }} {{ {'b': 1, 'a': 2}|join }} {{ {'x': 2}|map('upper')|list }}", "{{ range(10)|sum }}",
)
cases(
    "tests",
    "{{ name is defined }} {{ zzz is defined }} {{ zzz is undefined }} {{ d.q is defined }} {{ name is not defined }}", "{{ 1 is odd }} {{ 2 is even }} {{ 9 is divisibleby 3 }} {{ 9 is divisibleby(4) }}", "{{ none is none }} {{ 0 is none }} {{ yes is boolean }} {{ 1 is boolean }} {{ yes is true }} {{ 1 is true }} {{ no is false }}",
    "{{ 1 is integer }} {{ true is integer }} {{ 1.0 is float }} {{ 1 is float }} {{ 1 is number }} {{ true is number }} {{ 'a' is number }}", "{{ 'a' is string }} {{ safe is string }} {{ 1 is string }} {{ d is mapping }} {{ items is mapping }}", "{{ items is iterable }} {{ 'a' is iterable }} {{ 1 is iterable }} {{ items is sequence }} {{ d is sequence }} {{ 1 is sequence }}", "{{ 'a' is lower }} {{ 'A' is upper }} {{ 'aB' is lower }} {{ '1' is lower }}",
    "{{ 1 is sameas 1 }} {{ none is sameas none }} {{ true is sameas 1 }}", "{{ safe is escaped }} {{ 'a' is escaped }}", "{{ 1 is in [1, 2] }} {{ 3 is in [1] }} {{ 'a' is in 'abc' }} {{ 1 is not in [2] }}", "{{ 1 is eq 1 }} {{ 1 is ne 2 }} {{ 1 is lt 2 }} {{ 2 is gt 1 }} {{ 1 is le 1 }} {{ 1 is ge 2 }} {{ 1 is equalto 1 }} {{ 1 is lessthan 2 }} {{ 1 is greaterthan 0 }}",
    "{{ 'upper' is filter }} {{ 'nope' is filter }} {{ 'odd' is test }} {{ 'nope' is test }}", "{{ range is callable }} {{ 1 is callable }} {{ name.upper is callable }}", "{{ 4 is divisibleby 2 and 3 is odd }}", "{{ name is defined and name is string }}", "{{ (1 is odd) == true }}", "{% if zzz is defined and zzz %}x{% else %}y{% endif %}", "{{ not zzz is defined }}", "{{ 3 is not even }} {{ 1 + 2 is odd }}", "{{ [] is iterable and [] is not mapping }}", "{{ 1.5 is odd }} {{ 3.0 is odd }}",
)
cases(
    "for",
    "{% for i in items %}{{ i }},{% endfor %}", "{% for i in [] %}x{% else %}none{% endfor %}", "{% for i in items %}{{ loop.index }}/{{ loop.length }}:{{ loop.index0 }}:{{ loop.revindex }}:{{ loop.revindex0 }}:{{ loop.first }}:{{ loop.last }} {% endfor %}", "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", "{% for k in d %}{{ k }}{% endfor %}", "{% for c in 'abc' %}[{{ c }}]{% endfor %}", "{% for a, b in pairs %}{{ a }}{{ b }} {% endfor %}", "{% for a, (b, c) in [(1, (2, 3))] %}{{ a }}{{ b }}{{ c }}{% endfor %}", "{% for (a, b) in pairs %}{{ b }}{% endfor %}",
    "{% for i in seq if i is odd %}{{ loop.index }}:{{ i }} {% endfor %}", "{% for i in seq if i > 100 %}x{% else %}no{% endfor %}", "{% for i in seq if i > 7 %}{{ loop.length }}{{ loop.last }} {% endfor %}", "{% for i in items %}{{ loop.cycle('a', 'b') }}{% endfor %}", "{% for i in [1, 1, 2, 2, 1] %}{{ loop.changed(i) }} {% endfor %}", "{% for i in items %}{{ loop.previtem|default('-') }}<{{ i }}<{{ loop.nextitem|default('-') }} {% endfor %}", "{% for i in items %}{% for j in items %}{{ i * j }} {% endfor %}|{% endfor %}", "{% for i in items %}{% set outer = loop %}{% for j in [1] %}{{ outer.index }}{{ loop.index }} {% endfor %}{% endfor %}",
    "{% for t in tree recursive %}{{ t.title }}{% if t.children %}({{ loop(t.children) }}){% endif %}{{ loop.depth }} {% endfor %}", "<ul>{% for t in tree recursive %}<li>{{ t.title }}@{{ loop.depth0 }}{{ loop(t.children) if t.children }}</li>{% endfor %}</ul>", "{% for i in range(3) %}{{ i }}{% endfor %} {% for i in range(1, 4) %}{{ i }}{% endfor %} {% for i in range(10, 0, -3) %}{{ i }} {% endfor %}", "{% for i in items %}{% set x = i %}{% endfor %}{{ x is defined }}", "{% set x = 0 %}{% for i in items %}{% set x = x + i %}{{ x }} {% endfor %}{{ x }}", "{% set ns = namespace(total=0) %}{% for i in items %}{% set ns.total = ns.total + i %}{% endfor %}{{ ns.total }}", "{% for i in items %}{{ i }}{% if not loop.last %}, {% endif %}{% endfor %}",
    "{% for i in 1, 2, 3 %}{{ i }}{% endfor %}", "{% for x in (1,) %}{{ x }}{% endfor %}", "{% for i in items|sort|reverse %}{{ i }}{% endfor %}", "{% for i in items: %}{{ i }}{% endfor %}", "{% for name in names %}{{ name }} {% endfor %}{{ name }}", "{% for x in names if x is lower %}{{ x }} {% endfor %}", "{% for u in users if u.age > 26 and u.tags %}{{ u.name }} {% endfor %}", "{% for i in seq[:4] %}{% if i == 2 %}two{% elif i == 3 %}three{% else %}{{ i }}{% endif %} {% endfor %}", "{% for i in items %}{{ loop.index is odd }}{% endfor %}", "{% for i in (items if yes else []) %}{{ i }}{% endfor %}", "{% for i in nothing or [] %}x{% else %}e{% endfor %}", "{% for k, v in d|dictsort %}{{ k }}{{ v }}{% endfor %}", "{% for i in [[1, 2], [3]] recursive %}{{ loop(i) if i is iterable else i }}{% endfor %}",
    "{% for i in items %}{% for i in 'ab' %}{{ i }}{% endfor %}{{ i }}{% endfor %}", "{% for x in [1] %}{% set y = 5 %}{{ y }}{% endfor %}", "{% for t in tree recursive %}{% if loop.first %}F{% endif %}{{ t.title }}{% set kids = t.children %}{% if kids %}[{{ loop(kids) }}]{% endif %}{% else %}empty{% endfor %}", "{% for i in items %}{{ caller is defined }}{% endfor %}", "{% for t in [] recursive %}x{% else %}none{% endfor %}", "{% for i in seq if i is even recursive %}{{ i }}{{ loop.index }} {% endfor %}",
)
cases(
    "if",
    "{% if yes %}a{% endif %}", "{% if no %}a{% else %}b{% endif %}", "{% if no %}a{% elif yes %}b{% else %}c{% endif %}", "{% if no %}a{% elif no %}b{% endif %}|", "{% if empty %}a{% else %}b{% endif %}{% if '' %}c{% else %}d{% endif %}{% if 0.0 %}e{% else %}f{% endif %}{% if d %}g{% endif %}", "{% if 1 < n < 10 and not no %}ok{% endif %}", "{% if yes %}{% set x = 1 %}{% endif %}{{ x }}", "{% if no %}{% set x = 1 %}{% endif %}{{ x is defined }}", "{% set x = 0 %}{% if yes %}{% set x = 1 %}{% endif %}{{ x }}", "{% if n in [7] or no %}x{% endif %}", "{% if (1, 2) %}t{% endif %}{% if () %}f{% endif %}", "{% if none %}a{% endif %}{% if safe %}b{% endif %}",
    "{% for i in [1,2] %}{% if i == 1 %}{% set x = 5 %}{% endif %}{{ x is defined }} {% endfor %}", "{% set x = 9 %}{% for i in [1,2] %}{% if i == 2 %}{% set x = 5 %}{% endif %}{{ x }} {% endfor %}{{ x }}",
)
cases(
    "set",
    "{% set x = 5 %}{{ x }}", "{% set a, b = 1, 2 %}{{ a }}{{ b }}", "{% set (a, b), c = (1, 2), 3 %}{{ a }}{{ b }}{{ c }}", "{% set x %}block {{ name }}{% endset %}{{ x }}", "{% set x %}<b>{{ html }}</b>{% endset %}{{ x }}", "{% set x | upper %}hi {{ name }}{% endset %}{{ x }}", "{% set x | replace('a', 'b') | upper %}aaa{% endset %}{{ x }}", "{% set x = 1, 2 %}{{ x }}", "{% set x = [1, 2] + [3] %}{{ x|length }}", "{% set ns = namespace(a=1, b='x') %}{% set ns.a = 2 %}{% set ns.c = 3 %}{{ ns.a }}{{ ns.b }}{{ ns.c }}", "{% set ns = namespace({'q': 1}) %}{{ ns.q }}", "{% set x = 1 %}{% set x = x + 1 %}{{ x }}", "{% set x %}{% set y = 2 %}{{ y }}{% endset %}{{ x }} {{ y is defined }}", "{% set name = 'Over' %}{{ name }}", "{% set x %}{% for i in items %}{{ i }}{% endfor %}{% endset %}{{ x|length }} {{ x is escaped }}",
    "{% set ns = namespace() %}{% set ns.x %}body{% endset %}{{ ns.x }}", "{% set f = name.upper %}{{ f() }}", "{% set x = {'a': 1} %}{{ x.a }}",
)
cases(
    "with",
    "{% with a = 1 %}{{ a }}{% endwith %}", "{% with a = 1, b = 2 %}{{ a + b }}{% endwith %}", "{% set a = 5 %}{% with a = 1, b = a %}{{ a }}{{ b }}{% endwith %}{{ a }}", "{% with %}{% set x = 1 %}{{ x }}{% endwith %}{{ x is defined }}", "{% with name = name|upper %}{{ name }}{% endwith %}{{ name }}", "{% with a = 1 %}{% with a = 2 %}{{ a }}{% endwith %}{{ a }}{% endwith %}", "{% with f = 'x' %}{% for i in items %}{{ f }}{{ i }}{% endfor %}{% endwith %}",
)
cases(
    "filter-blocks",
    "{% filter upper %}hello {{ name }}{% endfilter %}", "{% filter replace('a', 'b') | upper %}aaa{% endfilter %}", "{% filter e %}<b>{% endfilter %}", "{% filter indent(2, true) %}x\ny{% endfilter %}", "{% filter trim %}  {{ html }}  {% endfilter %}", "{% filter upper %}{% set x = 1 %}a{% endfilter %}{{ x is defined }}",
)
cases(
    "autoescape",
    "{% autoescape false %}{{ html }}{% endautoescape %}{{ html }}", "{% autoescape true %}{{ html }}{% endautoescape %}", "{% autoescape false %}{{ safe ~ html }}{% autoescape true %}{{ html }}{% endautoescape %}{{ html }}{% endautoescape %}", "{% autoescape no %}{{ html }}{% endautoescape %}", "{% autoescape false %}{% set x %}<b>{% endset %}{{ x is escaped }}{% endautoescape %}{{ x is defined }}", "{% autoescape false %}{{ [html, safe]|join }}{{ html|replace('<', '[') }}{{ {'a': '<'}|xmlattr }}{% endautoescape %}",
)
case("autoescape", ("main.txt", "{{ html }} {{ safe }} {{ html|e }} {{ safe ~ html }} {{ [safe, html]|join }}"))
case("autoescape", ("main.xml", "{{ html }}"))
case("autoescape", ("main.htm", "{{ html }}"))
case("autoescape", ("main.svg", "{{ html }}"))
case("autoescape", ("main.json", "{{ d|tojson }} {{ html|tojson }}"))
case("autoescape", "{% include 'a.txt' %}", a__txt="{{ html }}")
case("autoescape", ("main.txt", "{% include 'a.html' %}{{ html }}"), a__html="{{ html }}")
case("autoescape", "{% from 'm.txt' import m %}{{ m(html) }}", m__txt="{% macro m(x) %}<i>{{ x }}</i>{% endmacro %}")
case("autoescape", ("main.txt", "{% from 'm.html' import m %}{{ m(html) }}"), m__html="{% macro m(x) %}<i>{{ x }}</i>{% endmacro %}")
cases(
    "macros",
    "{% macro m() %}hi{% endmacro %}{{ m() }}", "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ m(1, 2) }}{{ m(b=1, a=2) }}", "{% macro m(a, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}{{ m(1, 3) }}{{ m(1, b=4) }}", "{% macro m(a, b=a) %}{{ a }}{{ b }}{% endmacro %}{{ m(1) }}", "{% macro m() %}{{ varargs }}{{ kwargs }}{% endmacro %}{{ m(1, 2, x=3) }}", "{% macro m(a) %}{{ a }}{{ varargs|length }}{% endmacro %}{{ m(1, 2, 3) }}", "{% macro m(a) %}{{ a }}{{ kwargs.x }}{% endmacro %}{{ m(1, x=2) }}", "{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m(html) }} {{ m(safe) }}", "{% macro m(x) %}<b>{{ x }}</b>{% endmacro %}{{ m('a')|upper }} {{ m('a') ~ '<' }}", "{% macro a() %}A{{ b() }}{% endmacro %}{% macro b() %}B{% endmacro %}{{ a() }}", "{% macro f(n) %}{{ n }}{% if n > 0 %}{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(3) }}", "{% macro m() %}{{ name }}{% endmacro %}{{ m() }}", "{% macro m() %}{{ x }}{% endmacro %}{% set x = 1 %}{{ m() }}{% set x = 2 %}{{ m() }}",
    "{% macro m() %}[{{ caller() }}]{% endmacro %}{% call m() %}body {{ name }}{% endcall %}", "{% macro m(items) %}{% for i in items %}{{ caller(i) }}{% endfor %}{% endmacro %}{% call(i) m(items) %}<{{ i }}>{% endcall %}", "{% macro m() %}{{ caller(1, b=2) }}{% endmacro %}{% call(a, b=0) m() %}{{ a }}{{ b }}{% endcall %}", "{% macro m() %}{{ caller is defined }}{% endmacro %}{{ m() }}", "{% macro m(caller=none) %}{{ caller is none }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{{ a is defined }}{% endmacro %}{{ m() }}", "{% macro m(a) %}{{ a|default('d') }}{% endmacro %}{{ m() }}", "{% macro m(a, b) %}{% endmacro %}{{ m.name }} {{ m.arguments }} {{ m.catch_kwargs }} {{ m.caller }}", "{% macro m(a, b) %}{{ a }}-{{ b }}{% endmacro %}{{ m(*[1, 2]) }} {{ m(**{'a': 3, 'b': 4}) }} {{ m(5, *[6]) }}", "{% macro outer() %}{% macro inner() %}in{% endmacro %}<{{ inner() }}>{% endmacro %}{{ outer() }}", "{% for i in items %}{% macro m() %}{{ i }}{% endmacro %}{{ m() }}{% endfor %}", "{% macro m(l) %}{% set l = l + 1 %}{{ l }}{% endmacro %}{{ m(1) }}",
    "{% set x = 'g' %}{% macro m() %}{% set x = 'l' %}{{ x }}{% endmacro %}{{ m() }}{{ x }}", "{% macro m(x) %}{{ x }}{% endmacro %}{% set r = m('<') %}{{ r }} {{ r is escaped }}", "{% macro list(items) %}<ul>{% for i in items %}<li>{{ i }}{% if i is iterable and i is not string %}{{ list(i) }}{% endif %}</li>{% endfor %}</ul>{% endmacro %}{{ list(['a', ['b', '<']]) }}", "{% macro m(a=1, b=2) %}{{ a }}{{ b }}{% endmacro %}{{ m(b=5) }}", "{% macro outer() %}({{ caller() }}){% endmacro %}{% macro mid() %}{% call outer() %}[{{ caller() }}]{% endcall %}{% endmacro %}{% call mid() %}x{% endcall %}", "{% macro m() %}  x  {% endmacro %}|{{ m()|trim }}|", "{% if yes %}{% macro m() %}a{% endmacro %}{% else %}{% macro m() %}b{% endmacro %}{% endif %}{{ m() }}", "{% macro m(a, b) %}{{ a }}{{ b }}{% endmacro %}{{ [m(1, 2), m(3, 4)]|join('<br>') }}", "{% macro w(t) %}<{{ t }}>{{ caller() }}</{{ t }}>{% endmacro %}{% call w('p') %}{% call w('b') %}{{ html }}{% endcall %}{% endcall %}", "{% macro m(x, y=x|upper) %}{{ y }}{% endmacro %}{{ m('a') }}", "{% macro m(a, b=[]) %}{{ b|length }}{% endmacro %}{{ m(1) }}", "{% for i in [1,2] %}{% set v = i * 10 %}{% macro m() %}{{ v }}{% endmacro %}{{ m() }} {% endfor %}",
    "{% macro m() %}{{ zzz is defined }}{% endmacro %}{% for zzz in [1] %}{{ m() }}{% endfor %}", "{% with x = 3 %}{% macro m() %}{{ x }}{% endmacro %}{{ m() }}{% endwith %}", "{% block b %}{% macro t(n) %}{{ n }}{% if n %}{{ t(n - 1) }}{% endif %}{% endmacro %}{{ t(2) }}{% endblock %}", "{% block b %}{% macro a(n) %}{{ b(n) }}{% endmacro %}{% macro b(n) %}b{{ n }}{% endmacro %}{{ a(1) }}{% endblock %}", "{% block b %}{% set x = 1 %}{% macro m() %}{{ x }}{% endmacro %}{% set x = 2 %}{{ m() }}{% endblock %}",
)
cases(
    "functions",
    "{{ range(5)|list }} {{ range(2, 5)|list }} {{ range(0, 10, 4)|list }} {{ range(5, 0, -2)|list }} {{ range(0)|list }}", "{{ dict(a=1, b=2) }} {{ dict([('x', 1)], y=2) }} {{ dict({'p': 1}) }}", "{% set c = cycler('a', 'b') %}{{ c.next() }}{{ c.next() }}{{ c.next() }}{{ c.current }}{{ c.reset() }}{{ c.next() }}", "{% set j = joiner() %}{{ j() }}a{{ j() }}b{{ j() }}c", "{% set j = joiner('|') %}{% for i in items %}{{ j() }}{{ i }}{% endfor %}", "{% set c = cycler('odd', 'even') %}{% for i in items %}{{ c.next() }} {% endfor %}", "{{ namespace(x=1).x }}", "{{ range(3)|length }} {{ range(10)[2] }} {{ 3 in range(5) }}",
)

BASE = "<t>{% block title %}Base{% endblock %}</t>{% block body %}[{% block inner %}in{% endblock %}]{% endblock %}!"
case("inheritance", "{% extends 'base.html' %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block title %}Child{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block title %}{{ super() }}+{% endblock %}ignored {{ 1/0 }}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block inner %}x{{ super() }}y{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block body %}B{% endblock %}{% block inner %}unused{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'mid.html' %}{% block title %}C{{ super() }}{% endblock %}", base__html=BASE, mid__html="{% extends 'base.html' %}{% block title %}M{{ super() }}{% endblock %}")
case("inheritance", "{% extends 'mid.html' %}{% block title %}C{{ super.super() }}{% endblock %}", base__html=BASE, mid__html="{% extends 'base.html' %}{% block title %}M{% endblock %}")
case("inheritance", "{% extends 'mid.html' %}", base__html=BASE, mid__html="{% extends 'base.html' %}{% block inner %}mid{% endblock %}")
case("inheritance", "{% set x = 'top' %}{% extends 'base.html' %}{% block title %}{{ x }}{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% set x = 'after' %}{% block title %}{{ x }}{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% macro m() %}macro{% endmacro %}{% block title %}{{ m() }}{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% import 'm.html' as m %}{% block title %}{{ m.f(1) }}{% endblock %}", base__html=BASE, m__html="{% macro f(x) %}f{{ x }}{% endmacro %}")
case("inheritance", "{% block a %}A{% endblock %}{{ self.a() }}{{ self.a()|lower }}")
case("inheritance", "{% extends 'base.html' %}{% block body %}{{ self.title() }}{% endblock %}", base__html=BASE)
case("inheritance", "{% for i in items %}{% block b scoped %}{{ i }}{% endblock %}{% endfor %}")
case("inheritance", "{% extends 'base.html' %}{% block item %}<{{ i }}{{ loop.index }}>{% endblock %}", base__html="{% for i in items %}{% block item scoped %}{{ i }}{% endblock %}{% endfor %}")
case("inheritance", "{% for i in items %}{% block b %}{{ i is defined }}{% endblock %}{% endfor %}")
case("inheritance", "{% extends layout %}", **{"base__html": BASE})
case("inheritance", "{% set layout = 'base.html' %}{% extends layout %}{% block title %}dyn{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' if yes else 'other.html' %}{% block title %}c{% endblock %}", base__html=BASE)
case("inheritance", "{% if yes %}{% extends 'base.html' %}{% endif %}text{% block title %}c{% endblock %}", base__html=BASE)
case("inheritance", "{% if no %}{% extends 'base.html' %}{% endif %}text{% block title %}c{% endblock %}", base__html=BASE)
case("inheritance", "before{% extends 'base.html' %}after", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block r %}given{% endblock %}", base__html="{% block r required %}{% endblock %}")
case("inheritance", "{% extends 'base.html' %}", base__html="{% block r required %}  {# c #} {% endblock %}")
case("inheritance", "{% extends 'base.html' %}{% block title %}{% block sub %}s{% endblock %}{% endblock %}", base__html=BASE)
case("inheritance", "{% extends 'base.html' %}{% block a %}a{% endblock a %}", base__html="{% block a %}{% endblock a %}")
case("inheritance", "{% extends 'base.html' %}{% block a %}{% for i in items %}{{ super() }}{% endfor %}{% endblock %}", base__html="{% block a %}x{% endblock %}")
case("inheritance", "{% extends 'base.html' %}{% block a %}{% set s = super() %}{{ s|upper }}{% endblock %}", base__html="{% block a %}<b>{{ html }}</b>{% endblock %}")
case("inheritance", "{% extends 'base.html' %}{% block a %}{% macro m() %}{{ super() }}{% endmacro %}{{ m() }}{% endblock %}", base__html="{% block a %}x{% endblock %}")
case("inheritance", "{% extends 'base.html' %}{% block a %}{{ q }}{% endblock %}", base__html="{% set q = 'parent' %}{% block a %}{% endblock %}")
case("inheritance", "{% block a scoped %}{% set z = 1 %}{{ z }}{% endblock %}{{ z is defined }}")
case("inheritance", "{% extends 'base.html' %}{% block a %}{% include 'i.html' %}{% endblock %}", base__html="{% block a %}{% endblock %}", i__html="inc {{ name }}")
case("inheritance", "{% with w = 1 %}{% block a scoped %}{{ w }}{% endblock %}{% endwith %}")
case("inheritance", "{% extends ['nope.html', 'base.html'] %}{% block title %}L{% endblock %}", base__html=BASE)
case("inheritance", "{% block x %}{{ self.x is defined }}{% endblock %}")

case("includes", "a{% include 'i.html' %}b", i__html="[{{ name }}]")
case("includes", "{% set x = 1 %}{% include 'i.html' %}", i__html="{{ x }}")
case("includes", "{% include 'i.html' without context %}", i__html="{{ name is defined }}")
case("includes", "{% include 'i.html' with context %}", i__html="{{ name is defined }}")
case("includes", "{% for i in items %}{% include 'i.html' %}{% endfor %}", i__html="{{ i }}{{ loop.index }},")
case("includes", "{% include 'i.html' %}{{ x is defined }}", i__html="{% set x = 1 %}{{ x }}")
case("includes", "a{% include 'nope.html' ignore missing %}b")
case("includes", "a{% include 'nope.html' ignore missing with context %}b")
case("includes", "{% include ['nope.html', 'i.html'] %}", i__html="found")
case("includes", "{% include ['a.html', 'b.html'] ignore missing %}|")
case("includes", "{% set t = 'i.html' %}{% include t %}", i__html="dyn")
case("includes", "{% include 'i' ~ '.html' %}", i__html="joined")
case("includes", "{% include 'a.html' %}", a__html="a{% include 'b.html' %}", b__html="b{% include 'c.html' %}", c__html="c")
case("includes", "{% include 'i.html' %}", i__html="{% extends 'base.html' %}{% block title %}inc{% endblock %}", base__html=BASE)
case("includes", "{% macro m(x) %}{% include 'i.html' %}{% endmacro %}{{ m(5) }}", i__html="{{ x }}")
case("includes", "{% with y = 2 %}{% include 'i.html' %}{% endwith %}", i__html="{{ y }}")
case("includes", "{% include 'i.html' %}", i__html="a\n")
case("includes", "{% block a %}{% set v = 3 %}{% include 'i.html' %}{% endblock %}", i__html="{{ v }}")
case("includes", "{% macro m() %}M{% endmacro %}{% include 'i.html' %}", i__html="{{ m() }}")
case("includes", "{% filter upper %}{% include 'i.html' %}{% endfilter %}", i__html="inc")
case("includes", "{% for t in tree %}{% include 'node.html' %}{% endfor %}", node__html="{{ t.title }}{% for t in t.children %}{% include 'node.html' %}{% endfor %}")
case("includes", "{% if zzz is defined %}{% include 'i.html' %}{% endif %}ok", i__html="x")
case("includes", "{% set x = 'outer' %}{% block b %}{% include 'i.html' %}{% endblock %}", i__html="{{ x }}")

M = "{% macro f(x) %}f{{ x }}{% endmacro %}{% macro g() %}{{ name is defined }}{% endmacro %}{% set v = 42 %}{% set _p = 1 %}text"
case("imports", "{% import 'm.html' as m %}{{ m.f(1) }} {{ m.v }}", m__html=M)
case("imports", "{% from 'm.html' import f %}{{ f(2) }}", m__html=M)
case("imports", "{% from 'm.html' import f as ff, v %}{{ ff(2) }}{{ v }}", m__html=M)
case("imports", "{% from 'm.html' import g %}{{ g() }}", m__html=M)
case("imports", "{% from 'm.html' import g with context %}{{ g() }}", m__html=M)
case("imports", "{% import 'm.html' as m with context %}{{ m.g() }}", m__html=M)
case("imports", "{% from 'm.html' import f, g without context %}{{ f(1) }}{{ g() }}", m__html=M)
case("imports", "{% from 'm.html' import nope %}{{ nope is defined }}", m__html=M)
case("imports", "{% import 'm.html' as m %}{{ m._p is defined }} {{ m.zzz is defined }}", m__html=M)
case("imports", "{% macro w() %}{% import 'm.html' as m %}{{ m.f('i') }}{% endmacro %}{{ w() }}", m__html=M)
case("imports", "{% for i in items %}{% from 'm.html' import f %}{{ f(i) }}{% endfor %}", m__html=M)
case("imports", "{% set x = 7 %}{% from 'm.html' import h with context %}{{ h() }}", m__html="{% macro h() %}{{ x }}{% endmacro %}")
case("imports", "{% from 'a.html' import fa %}{{ fa() }}", a__html="{% from 'b.html' import fb %}{% macro fa() %}a{{ fb() }}{% endmacro %}", b__html="{% macro fb() %}b{% endmacro %}")
case("imports", "{% from 'm.html' import card %}{% call card('T') %}body{% endcall %}", m__html="{% macro card(t) %}<h>{{ t }}</h>{{ caller() }}{% endmacro %}")
case("imports", "{% set n = 'm.html' %}{% import n as m %}{{ m.v }}", m__html=M)
case("imports", "{% import 'm.html' as m %}{% block b %}{{ m.v }}{% endblock %}", m__html=M)
case("imports", "{% from 'm.html' import c %}{{ c() }}{{ c() }}", m__html="{% set ns = namespace(i=0) %}{% macro c() %}{% set ns.i = ns.i + 1 %}{{ ns.i }}{% endmacro %}")

# What must fail.
cases(
    "undefined",
    "{{ nope }}", "a\nb\n{{ nope }}", "{{ d.nope }}", "{{ d['nope'] }}", "{{ items[99] }}", "{{ nope.x }}", "{{ nope|upper }}", "{% for i in nope %}{% endfor %}", "{% if nope %}{% endif %}", "{{ nope == 1 }}", "{{ nope ~ 'x' }}", "{{ nope() }}", "{{ name.nope }}", "{{ name.nope() }}", "{% for i in items %}{% endfor %}{{ i }}", "{% for i in items %}{{ loop.previtem }}{% endfor %}", "{{ loop }}", "{{ []|first }}", "{{ []|max }}", "{% macro m(a) %}\n{{ a }}{% endmacro %}{{ m() }}", "{{ not nope }}", "{{ nope in [1] }}", "{{ 'a' in nope }}", "{{ nope + 1 }}", "{{ -nope }}", "{{ nope and 1 }}", "{{ [nope]|join }}", "{{ users|map(attribute='zip')|join }}", "{{ nope is odd }}", "{{ none.x }}", "{{ n.x }}", "{{ caller() }}", "{{ self.nope() }}", "{{ varargs }}", "{% with a = nope %}{{ a }}{% endwith %}", "{% include nope %}", "{% block a %}{{ super() }}{% endblock %}", "{{ (nope) }}", "{{ users|selectattr('zip')|list }}", "{{ users|sort(attribute='zip')|length }}", "{{ nope|length }}", "{{ nope|safe }}", "{{ nope|join }}", "{{ nope|list }}", "{{ {}.x }}", "{{ pair.nope }}",
)
case("undefined", "{% import 'm.html' as m %}{{ m.nope() }}", m__html=M)
case("undefined", "{% from 'm.html' import nope %}{{ nope() }}", m__html=M)
case("undefined", "{% include 'i.html' %}", i__html="line\n{{ nope }}")
case("undefined", "{% extends 'base.html' %}\n{% block title %}\n{{ nope }}\n{% endblock %}", base__html=BASE)
case("undefined", "{% from 'm.html' import f %}{{ f() }}", m__html="\n\n{% macro f() %}{{ nope }}{% endmacro %}")
case("undefined", "{% include 'i.html' without context %}", i__html="{{ name }}")
case("undefined", "{% extends 'base.html' %}", base__html="{% block r required %}{% endblock %}")
cases(
    "failures",
    "{{ 1 / 0 }}", "{{ 1 // 0 }}", "{{ 1 % 0 }}", "{{ 'a' + 1 }}", "{{ 1 + 'a' }}", "{{ 'a' < 1 }}", "{{ [1] < 'a' }}", "{{ none + 1 }}", "{{ 1 in 5 }}", "{{ 1() }}", "{{ name() }}", "{% for i in 5 %}{% endfor %}", "{% for a, b in items %}{% endfor %}", "{% for a, b in [(1, 2, 3)] %}{% endfor %}", "{% set a, b = 1 %}", "{% set a, b = [1, 2, 3] %}", "{{ items|sort(attribute='x') }}", "{{ [1, 'a']|sort }}", "{{ 'x'|round }}", "{{ 'x'|abs }}", "{{ 5|length }}", "{{ 5|join }}", "{{ 5|first }}", "{{ [[]]|unique|list }}", "{{ {[]: 1} }}", "{{ range(0, 5, 0) }}", "{{ 'a' * 'b' }}", "{{ -'a' }}", "{{ 'abc'.index('z') }}", "{{ '%d' % 'x' }}", "{{ '%s %s' % 1 }}", "{{ '%s' % (1, 2) }}", "{{ '{} {}'.format(1) }}", "{{ '{x}'.format(1) }}", "{{ 5|items|list }}", "{{ 'a'|truncate(1) }}", "{{ 'abc'|wordwrap(0) }}", "{{ d|dictsort(by='x') }}", "{{ 1.5|round(1, 'x') }}", "{{ {'a b': 1}|xmlattr }}", "{{ 2|upper(1) }}", "{{ seq[::0] }}", "{{ seq['a':] }}", "{% macro m() %}{% endmacro %}{{ m(1) }}", "{% macro m() %}{% endmacro %}{{ m(x=1) }}", "{% macro m(a) %}{{ a }}{% endmacro %}{{ m(1, a=2) }}", "{% for i in items %}{{ loop([]) }}{% endfor %}", "{% set n.x = 1 %}", "{{ cycler() }}", "{{ items|slice(0)|list }}", "{{ users|map|list }}", "{{ items|map('nope')|list }}", "{{ items|select('nope')|list }}", "{% call name() %}{% endcall %}", "{{ 'a'.split('') }}", "{{ 'a'.startswith(1) }}", "{{ ','.join([1]) }}", "{{ 0 ** -1 }}", "{{ '5' is odd }}", "{{ 5 is divisibleby 0 }}", "{{ 'x'|filesizeformat }}",
)
case("failures", "{% include 'nope.html' %}")
case("failures", "{% include ['a.html', 'b.html'] %}")
case("failures", "{% extends 'nope.html' %}")
case("failures", "{% import 'nope.html' as m %}")
case("failures", "\n{% set t = 'nope.html' %}\n{% include t %}")
case("failures", "{% include 'main.html' %}")
case("failures", "{% extends 'main.html' %}")
case("failures", "{% extends 'a.html' %}", a__html="{% extends 'main.html' %}")
case("failures", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}")
cases(
    "syntax",
    "{{ }}", "{{ 1 + }}", "{{ (1 }}", "{{ 1) }}", "{{ [1, 2 }}", "{% if %}{% endif %}", "{% if yes %}", "{% for %}{% endfor %}", "{% for i items %}{% endfor %}", "{% endif %}", "{% if yes %}{% endfor %}", "{% nope %}", "{% block a %}{% endblock %}{% block a %}{% endblock %}", "{{ name", "{% if yes", "{# open", "{% raw %}open", "{{ 'open }}", "{{ a b }}", "{{ 1 2 }}", "{% set %}", "{% set 1 = 2 %}", "{% set x = %}", "{% macro %}{% endmacro %}", "{% macro m(a=1, b) %}{% endmacro %}", "{% macro m(1) %}{% endmacro %}", "{{ name|nope }}", "{{ name is nope }}", "{% extends %}", "{% include %}", "{% import 'x' %}", "{% from 'x' import _y %}", "{% from 'x' %}", "{% call 5 %}{% endcall %}", "{% call name %}{% endcall %}", "{% block a-b %}{% endblock %}", "{% block %}{% endblock %}", "{{ f(a=1, 2) }}", "{{ f(**a, *b) }}", "{{ x is odd is even }}", "{{ ! }}", "{{ a ? b }}", "{{ $x }}", "{{ a = 1 }}", "{{ x. }}", "{{ x['a' }}", "{{ {1} }}", "{{ {'a' 1} }}", "line\nline\n{{ 1 + }}", "{% block r required %}text{% endblock %}", "{% else %}", "{% elif x %}", "{% endblock %}", "{% if yes %}{% else %}{% else %}{% endif %}", "{% filter %}{% endfilter %}", "{% filter nope %}{% endfilter %}", "{% with a %}{% endwith %}", "{% autoescape %}{% endautoescape %}", "{% set true = 1 %}", "{{ '\\x4' }}", "{% for i in items %}{% else %}{% endif %}", "{{ name | }}", "{{ | upper }}", "{{ not }}", "{{ 09 }}", "{{ * }}", "{% %}", "{{ [1,,2] }}", "{{ f(,) }}", "{{ a.b.1.c. }}", "{% trans %}x{% endtrans %}", "{% break %}", "{% do 1 %}",
)
