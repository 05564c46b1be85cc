import Bytes
import Testing

@Suite struct `Byte buffers` {
    @Test func `what is appended comes out in order, across growth`() {
        var buffer = ByteBuffer(capacity: 1)
        var expected: [UInt8] = []
        for number in 0..<5000 {
            buffer.append(decimal: number)
            buffer.append(", ")
            expected += Array("\(number), ".utf8)
        }
        #expect(buffer.copy() == expected)
        buffer.truncate(to: 3)
        #expect(buffer.text() == "0, ")
        buffer.clear()
        #expect(buffer.copy().isEmpty)
    }

    // markupsafe's escape, Jinja's own, decides the template form.
    @Test(arguments: [
        (Escaping.template, "&amp;&lt;&gt;&#34;&#39;\u{8}é"),
        (.markup, "&amp;&lt;&gt;&quot;'\u{8}é"),
        (.xml, "&amp;&lt;&gt;&#34;&#39;é"),
    ])
    func `escaping replaces what HTML gives a meaning`(_ escaping: Escaping, _ expected: String) {
        var buffer = ByteBuffer()
        buffer.append("&<>\"'\u{8}é", escaping: escaping)
        #expect(buffer.text() == expected)
    }

    // XML 1.0, section 2.2, Char.
    @Test func `XML's forbidden characters are dropped and no others`() {
        let text = "a\u{0}\u{8}\t\n\r\u{1F}b\u{FFFE}\u{FFFF}\u{FFFD}🌱"
        #expect(XMLText.allowed(Array(text.utf8)) == Array("a\t\n\rb\u{FFFD}🌱".utf8))
        #expect(XMLText.allowed(Array("plain".utf8)) == Array("plain".utf8))
    }
}

@Suite struct `Digests` {
    // XXH3's own test vectors: the empty input with seed 0
    // (xxhash documentation, XXH3_64bits).
    @Test func `fingerprints are XXH3's`() {
        #expect(Fingerprint(of: [UInt8]()).bits == 0x2D06_8005_38D3_94C2)
        #expect(ContentHash(of: "").hexadecimal == "99aa06d3014798d86001c324468d497f")
    }

    @Test func `a hash survives its text form`() {
        let hash = ContentHash(of: "some text")
        #expect(ContentHash(hexadecimal: hash.hexadecimal[...]) == hash)
        #expect(ContentHash(hexadecimal: "xyz") == nil)
        #expect(ContentHash(hexadecimal: "+0000000000000000000000000000000") == nil)
    }

    @Test func `combining minds the order`() {
        var one = Fingerprint(of: "a")
        one.combine(Fingerprint(of: "b"))
        var other = Fingerprint(of: "b")
        other.combine(Fingerprint(of: "a"))
        #expect(one != other)
    }
}

@Suite struct `Unicode` {
    @Test func `composing and folding`() {
        #expect(Array(UnicodeText.composed("e\u{301}").unicodeScalars) == ["é"])
        #expect(UnicodeText.folded("STRASSE") == UnicodeText.folded("straße"))
        #expect(UnicodeText.folded("ÉTÉ") == UnicodeText.folded("e\u{301}te\u{301}"))
        #expect(UnicodeText.folded("Abc") == "abc")
    }
}

@Suite struct `SHA-256` {
    /// The standard's own examples, and lengths around the ends of blocks, whose
    /// digests coreutils gave.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            String(repeating: "a", count: 55),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"
        ),
        (
            String(repeating: "a", count: 64),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
        ),
        (
            String(repeating: "a", count: 1000),
            "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"
        ),
    ])
    func `is that of the standard`(_ text: String, _ digest: String) {
        #expect(SHA256.hexadecimal(of: Array(text.utf8)) == digest)
    }
}

@Suite struct `Bytes that are the same` {
    // Lengths around what is compared at once.
    @Test(arguments: [0, 1, 2, 3, 255, 256, 257, 4095, 4096, 4097, 9000])
    func `are counted from both ends`(_ count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        #expect(bytes.commonPrefix(with: bytes) == count)
        #expect(bytes.commonSuffix(with: bytes) == count)
        #expect(bytes.commonPrefix(with: bytes + [1]) == count)
        #expect(bytes.commonSuffix(with: [1] + bytes) == count)
        #expect(bytes.commonPrefix(with: []) == 0)
        #expect(bytes.commonSuffix(with: []) == 0)
        for place in Set([0, 1, count / 2, count - 2, count - 1])
        where bytes.indices.contains(place) {
            var other = bytes
            other[place] ^= 0xFF
            #expect(bytes.commonPrefix(with: other) == place)
            #expect(bytes.commonSuffix(with: other) == count - 1 - place)
        }
    }
}
