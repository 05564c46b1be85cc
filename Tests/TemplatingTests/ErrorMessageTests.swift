import Templating
import Testing

/// Every message as it prints: place, words, help and chain.
@Suite struct ErrorMessageTests {
    struct Case: CustomTestStringConvertible {
        var source: String
        var expected: String

        init(_ source: String, _ expected: String) {
            self.source = source
            self.expected = expected
        }

        var testDescription: String { source }
    }

    @Test(arguments: [
        // The lexer.
        Case("a {{ name", "t.html:1:3: '{{' is never closed"),
        Case("{% if x\n{{ n }}", "t.html:1:1: '{%' is never closed"),
        Case("{# x", "t.html:1:1: '{#' is never closed; expected '#}'"),
        Case("{% raw %}x", "t.html:1:1: 'raw' is never closed; expected '{% endraw %}'"),
        Case("{{ 'x }}", "t.html:1:4: this text is never closed; expected its quotation mark"),
        Case("{{ a ? b }}", "t.html:1:6: unexpected character '?'"),
        Case("{{ (1] }}", "t.html:1:6: found ']'; expected ')'"),
        Case("{{ 1) }}", "t.html:1:5: ')' closes nothing"),
        Case(
            "{{ 99999999999999999999 }}",
            "t.html:1:4: '99999999999999999999' is not a number of at most 64 bits"),
        Case("{{ '\\xZZ' }}", "t.html:1:4: '\\xZZ' is not an escape sequence"),
        // The parser.
        Case("{{ 1 + }}", "t.html:1:8: found the end of the tag; expected an expression"),
        Case("{{ a b }}", "t.html:1:6: found 'b'; expected '}}'"),
        Case("{% if yes %}x", "t.html:1:4: 'if' is never closed; expected '{% endif %}'"),
        Case("{% iff x %}", "t.html:1:4: unknown tag 'iff' (did you mean 'if'?)"),
        Case("{% endfor %}", "t.html:1:4: 'endfor' stands outside the tag it belongs to"),
        Case(
            "{% if n %}{% endfor %}{% endif %}",
            "t.html:1:14: 'endfor' does not belong to the open 'if' (close 'if' first with '{% endif %}')"
        ),
        Case(
            "{% if n %}{% enidf %}{% endif %}",
            "t.html:1:14: unknown tag 'enidf' (did you mean 'endif'?)"),
        Case("{% set 1 = 2 %}", "t.html:1:8: cannot assign to a number; expected a name"),
        Case(
            "{% block a %}{% endblock %}{% block a %}{% endblock %}",
            "t.html:1:31: block 'a' is defined twice (print it again with '{{ self.a() }}')"),
        Case(
            "{% block a required %}x{% endblock %}",
            "t.html:1:4: required block 'a' may hold only blanks and comments"),
        Case(
            "{% block a-b %}{% endblock %}",
            "t.html:1:11: a block's name may not contain '-' (use '_' instead)"),
        Case(
            "{% macro m(a=1, b) %}{% endmacro %}",
            "t.html:1:17: parameter 'b' without a default follows one that has a default"),
        Case(
            "{% from 't.html' import _x %}",
            "t.html:1:25: '_x' cannot be imported: it begins with an underscore"),
        Case("{{ range(a=1, a=2) }}", "t.html:1:15: argument 'a' is given twice"),
        Case(
            "{{ range(a=1, 2) }}",
            "t.html:1:15: an argument without a name follows one that has a name"),
        Case("{% call n %}{% endcall %}", "t.html:1:9: 'call' expects a call of a macro"),
        Case(
            "{{ 1 is odd is even }}",
            "t.html:1:13: tests cannot be chained with 'is' (join two tests with 'and')"),
        // The compiler.
        Case("{{ n | upcase }}", "t.html:1:8: unknown filter 'upcase' (did you mean 'upper'?)"),
        Case("{{ n | odd }}", "t.html:1:8: unknown filter 'odd' ('odd' is a test: write 'is odd')"),
        Case("{{ n is evn }}", "t.html:1:9: unknown test 'evn' (did you mean 'even'?)"),
        Case(
            "{{ n is sort }}",
            "t.html:1:9: unknown test 'sort' ('sort' is a filter: write '| sort')"),
        Case(
            "{{ [1] | map('uper') }}",
            "t.html:1:14: unknown filter 'uper' (did you mean 'upper'?)"),
        Case(
            "{% include 'u.html' %}",
            "t.html:1:12: there is no template 'u.html' (did you mean 't.html'?)"),
        Case(
            "{% include ['x', 'y'] %}", "t.html:1:12: there is none of the templates 'x', 'y'"),
        Case(
            "{% extends 't.html' %}",
            "t.html:1:12: templates need each other in a ring: t.html → t.html"),
        Case("{{ super() }}", "t.html:1:4: 'super' can be used only in a block"),
        Case(
            "{% block a %}{% extends 'x' %}{% endblock %}",
            "t.html:1:17: 'extends' can be used only outside blocks and macros"),
        Case("{{ n | upper(1) }}", "t.html:1:8: filter 'upper' takes no arguments"),
        Case(
            "{{ n | truncate(lenght=3) }}",
            "t.html:1:17: filter 'truncate' takes no argument 'lenght' (did you mean 'length'?)"),
        Case("{{ n | replace('a') }}", "t.html:1:8: filter 'replace' needs the argument 'new'"),
        Case(
            "{{ n | round(1, 'ceil', 2) }}", "t.html:1:8: filter 'round' takes at most 2 arguments"),
        // Rendering.
        Case("{{ nme }}", "t.html:1:4: 'nme' is undefined (did you mean 'name'?)"),
        Case(
            "{{ note.titel }}", "t.html:1:9: a note has no member 'titel' (did you mean 'title'?)"),
        Case("{{ note }}", "t.html:1:4: a note cannot be printed (did you mean 'note.title'?)"),
        Case("{{ [1][5] }}", "t.html:1:7: a list has no element 5"),
        Case("{{ 'a' + 1 }}", "t.html:1:8: cannot add a text and an integer (join texts with '~')"),
        Case("{{ 1 < 'a' }}", "t.html:1:6: cannot compare an integer and a text"),
        Case("{{ 1 / 0 }}", "t.html:1:6: division by zero"),
        Case(
            "{{ 9223372036854775807 + 1 }}",
            "t.html:1:24: the result of '+' does not fit into 64 bits"),
        Case("{{ 2 ** 64 }}", "t.html:1:6: the result of '**' does not fit into 64 bits"),
        Case("{{ n() }}", "t.html:1:4: an integer cannot be called"),
        Case(
            "{% for x in n %}{% endfor %}",
            "t.html:1:13: an integer has no elements to go through"),
        Case("{% set a, b = [1] %}", "t.html:1:15: cannot unpack 1 value into 2 names"),
        Case(
            "{% macro m(a) %}{{ a }}{% endmacro %}{{ m() }}",
            """
            t.html:1:20: parameter 'a' was not given
              t.html:1:41: macro 'm' is called here
            """),
        Case(
            "{% macro m(a) %}{% endmacro %}{{ m(b=1) }}",
            """
            t.html:1:34: macro 'm' takes no argument 'b' (it takes 'a')
            """),
        Case(
            "{% macro m() %}{{ caller() }}{% endmacro %}{{ m() }}",
            """
            t.html:1:19: 'caller' is undefined: the macro was not used by a 'call' tag
              t.html:1:47: macro 'm' is called here
            """),
        Case(
            "{% macro m() %}{% endmacro %}{{ m }}",
            "t.html:1:33: a macro cannot be printed (call it with '()')"),
        Case(
            "{% for i in [1] %}{{ loop([]) }}{% endfor %}",
            "t.html:1:22: the loop cannot be called: it lacks 'recursive' (write '{% for … recursive %}')"
        ),
        Case(
            "{% for i in [1] %}{{ loop.indx }}{% endfor %}",
            "t.html:1:27: the loop has no member 'indx' (did you mean 'index'?)"),
        Case(
            "{{ self.titel() }}{% block title %}{% endblock %}",
            "t.html:1:9: 'self' has no member 'titel' (did you mean 'title'?)"),
        Case(
            "{% set n.x = 1 %}",
            "t.html:1:14: 'set' of an attribute expects a namespace; found an integer"
        ),
        Case(
            "{{ n | truncate(end=1) | upper }}",
            "t.html:1:8: filter 'truncate' expects a text as 'end'; found an integer"),
        Case(
            "{{ 'x' | truncate('a') }}",
            "t.html:1:10: filter 'truncate' expects an integer as 'length'; found a text"),
        Case(
            "{{ 1.5 | round(1, 'x') }}",
            "t.html:1:10: filter 'round' expects 'common', 'ceil' or 'floor' as 'method'; found 'x'"
        ),
        Case("{% include name %}", "t.html:1:12: there is no template 'World'"),
        Case("{{ range(1000000) }}", "t.html:1:4: a value exceeds the limit of 100000"),
        Case("{{ fails() }}", "t.html:1:4: no such note (check its path)"),
    ])
    func message(_ test: Case) {
        let site = Site(
            ["t.html": test.source], symbols: ["name", "note"],
            functions: [
                "fails": CustomFunction { (_, _) throws(TemplateFailure) in
                    throw TemplateFailure("no such note", help: "check its path")
                }
            ])
        let note = StubObject("note", ["title": .string("T"), "body": .markup(MarkupBytes(""))])
        let shown = site.render([
            "name": .string("World"), "n": .integer(7), "yes": .boolean(true),
            "note": .object(note),
        ])
        #expect(shown == test.expected)
    }

    @Test func allMistakesOfAllTemplatesAreFoundInOneRun() {
        let site = Site([
            "a.html": """
            {{ 1 + }}
            {% for in %}{{ x | nope }}{% else %}{% endfor %}
            {% if x %}{{ (}}
            {{ y }}
            {% unknown %}
            """,
            "b.html": "{{ 'x }}\n{{ a is nope }}",
        ])
        #expect(
            site.render() == """
                a.html:1:8: found the end of the tag; expected an expression
                a.html:2:8: found 'in'; expected a name
                a.html:2:20: unknown filter 'nope'
                a.html:3:4: 'if' is never closed; expected '{% endif %}'
                a.html:3:15: found '}'; expected ')'
                a.html:5:4: unknown tag 'unknown'
                b.html:1:4: this text is never closed; expected its quotation mark
                b.html:2:9: unknown test 'nope' (did you mean 'none'?)
                """)
    }

    @Test func theChainOfTemplatesIsSaid() {
        let site = Site([
            "page.html": "{% extends 'base.html' %}\n{% block body %}\n{{ card(1) }}{% endblock %}",
            "base.html":
                "{% from 'cards.html' import card with context %}<main>{% block body %}{% endblock %}",
            "cards.html": "{% macro card(x) %}\n  {% include 'badge.html' %}{% endmacro %}",
            "badge.html": "<b>{{ x.label }}</b>",
        ])
        #expect(
            site.render() == """
                badge.html:1:9: an integer has no member 'label'
                  cards.html:2:14: 'badge.html' is included here
                  page.html:3:4: macro 'card' is called here
                  base.html:1:58: block 'body' is printed here
                """)
    }

    @Test func aMissingPartialNamesThePlaceThatIncludesIt() {
        let site = Site([
            "page.html": "{% extends 'base.html' %}",
            "base.html": "{% include 'nav.html' %}",
            "nav.html": "<nav>\n  {% include 'badge.html' %}",
        ])
        #expect(
            site.render()
                == "nav.html:2:14: there is no template 'badge.html' (did you mean 'base.html'?)")
    }

    @Test func anImportedMacroThatLacksTheContextIsExplained() {
        let site = Site([
            "page.html": "{% from 'm.html' import m %}{{ m() }}",
            "m.html": "{% macro m() %}{{ site }}{% endmacro %}",
        ])
        #expect(
            site.render(["site": .string("s")]) == """
                m.html:1:19: 'site' is undefined (add 'with context' to the import of this template)
                  page.html:1:32: macro 'm' is called here
                """)
    }
}
