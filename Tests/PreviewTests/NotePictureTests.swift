import Testing

@testable import Preview

/// What a picture is called beside its note.
@Suite struct NotePictureTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    @Test func `a name is the first that is free, its ending that of the kind`() {
        let picture = NotePicture(name: "../My Photo.JPEG", bytes: Self.png)
        #expect(picture.freeName { _ in true } == "my-photo.png")
        let taken: Set = ["my-photo.png", "my-photo-2.png"]
        #expect(picture.freeName { !taken.contains($0) } == "my-photo-3.png")
        let other = NotePicture(name: "a.png", bytes: Array("<svg>".utf8))
        #expect(other.freeName { _ in true } == nil)
    }

    /// Each text with what it is where `a.png` is shown as `b.png`.
    @Test(arguments: [
        ("![](a.png)", "![](b.png)"), ("a.png", "b.png"), ("See a.png.", "See b.png."),
        ("<img src=\"a.png\"> [[a.png|x]]", "<img src=\"b.png\"> [[b.png|x]]"),
        ("![](a.png) ![](a.png)", "![](b.png) ![](b.png)"),
        ("![](f/a.png) aa.png -a.png", "![](f/a.png) aa.png -a.png"),
        ("a.pngs a.png-2 éa.png", "a.pngs a.png-2 éa.png"), ("a.pn", "a.pn"), ("", ""),
    ])
    func `only the whole name is another`(_ text: String, _ expected: String) {
        let picture = NotePicture(name: "a.png", bytes: Self.png)
        let result = picture.renamed("b.png", in: Array(text.utf8))
        #expect(String(decoding: result, as: UTF8.self) == expected)
    }
}
