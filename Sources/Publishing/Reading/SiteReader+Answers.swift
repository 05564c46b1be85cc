package import Bytes

/// Questions asked again.
extension SiteReader {
    /// The fingerprint of the answer to `read` in this reader's site: what was
    /// read is still right where it equals what was seen.
    ///
    /// Asks as rendering does, so that the two cannot differ; `templates` gives
    /// the fingerprint of a template by its name.
    package func answer(
        to read: SiteRead, templates: (String) -> Fingerprint
    ) -> Fingerprint {
        switch read {
        case .field(let field, let id): _ = note(id, reading: field)
        case .extra(let key, let id): _ = extra(key, of: id)
        case .part(let anchor, let id): _ = note(id, readingPart: anchor)
        case .address(let id): _ = url(of: id)
        case .link(let id, let index): _ = target(ofLink: index, in: id)
        case .sentence(let id, let index): _ = sentence(ofLink: index, in: id)
        case .image(let id): _ = image(of: id)
        case .neighbours(let id): _ = neighbours(of: id)
        case .backlinks(let id): _ = backlinks(of: id)
        case .count(let list): _ = count(of: list)
        case .slice(let list, let range): _ = slice(range, of: list)
        case .sections(let list): _ = sectionKeys(of: list)
        case .tag(let key): _ = tag(key)
        case .tagChildren(let key): _ = children(ofTag: key)
        case .tags: _ = tagKeys()
        case .yearBeside(let name, let offset): _ = year(offset, from: name)
        case .datedCount: _ = datedCount()
        case .folderIndex: _ = folderIndex()
        case .years: _ = years()
        case .folderChildren(let path): _ = children(ofFolder: path)
        case .folderCount(let path): _ = count(inFolder: path)
        case .folder(let path): _ = folder(path)
        case .setting(let setting): ask(setting)
        case .extraSetting(let key): _ = extraSetting(key)
        case .collection(let url): _ = collection(at: url)
        case .collections: _ = collections()
        case .output(let path): _ = isMade(path)
        case .pageCount: _ = homePageCount()
        case .template(let name): return templates(name)
        }
        return recorder.latest
    }

    private func ask(_ setting: SiteRead.Setting) {
        switch setting {
        case .title: _ = text(.title)
        case .description: _ = text(.description)
        case .author: _ = text(.author)
        case .language: _ = text(.language)
        case .basePath: _ = text(.basePath)
        case .origin: _ = text(.origin)
        case .baseURL: _ = baseURL
        case .content: noteContentFolder()
        case .paginate: _ = paginate
        case .feedLimit: _ = feedLimit
        case .feedHasFullContent: _ = feedHasFullContent
        case .timezone: _ = zone
        }
    }
}
