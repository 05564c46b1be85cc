import Markup
import Testing

@Suite("Code stays as it was typed")
struct CodeTests {
    @Test("Marks of the dialect in code mean nothing")
    func code() {
        let text = """
            `[[a]] #t %%x%% ==y== $z$ ^id`

            ```
            if [[ $x == 1 ]]; then
            %%
            kept
            %%
            > [!note] n
            ![[a]]
            ```

            - item

                  [[a]]
            """
        let document = parse(text)
        #expect(document.links.isEmpty && document.tags.isEmpty && document.blocks.isEmpty)
        #expect(!document.hasMaths)
        #expect(
            html(text) == """
                <p><code>[[a]] #t %%x%% ==y== $z$ ^id</code></p>
                <pre><code>if [[ $x == 1 ]]; then
                %%
                kept
                %%
                &gt; [!note] n
                ![[a]]
                </code></pre>
                <ul>
                <li>
                <p>item</p>
                <pre><code>[[a]]
                </code></pre>
                </li>
                </ul>

                """)
    }

    @Test("Hyphens in a body are rules, and stay in code")
    func hyphens() {
        #expect(
            html("one\n\n---\n\ntwo\n\n```yaml\n---\nk: v\n---\n```\nthree\n", .notes) == """
                <p>one</p>
                <hr />
                <p>two</p>
                <pre><code class="language-yaml">---
                k: v
                ---
                </code></pre>
                <p>three</p>

                """)
    }
}
