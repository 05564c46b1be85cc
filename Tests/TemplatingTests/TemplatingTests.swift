import Bytes
import Diagnostics
@testable import Templating
import Testing

@Test func smoke() throws {
    let (library, diagnostics) = TemplateLibrary.compile([
        TemplateSource(
            name: "base.html",
            bytes: Array(
                "<t>{% block t %}base{% endblock %}</t>{% for i in range(3) recursive %}{{ loop.index }}:{{ i }} {% endfor %}"
                    .utf8)),
        TemplateSource(
            name: "a.html",
            bytes: Array(
                "{% extends 'base.html' %}{% macro m(a, b=2) %}<{{ a }}|{{ b }}>{% endmacro %}{% block t %}{{ super() }} {{ m('<x>') }} {{ 1.5 + 2 }} {{ name|upper }}{% endblock %}"
                    .utf8)),
    ])
    #expect(diagnostics == [])
    var output = ByteBuffer()
    let id = try #require(library.template(named: "a.html"))
    try library.render(
        id, with: [(library.symbol(of: "name"), .string("<é>"))], host: RenderHost(), into: &output)
    print(output.text())
}
