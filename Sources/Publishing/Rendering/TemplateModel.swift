/// What templates may read, for those who document it.
package enum TemplateModel {
    /// The members of each kind of object, by the object's name in messages.
    package static let members: [String: [String]] = [
        "site": SiteObject.members.map(\.name), "page": PageObject.members.map(\.name),
        "note": NoteObject.members.map(\.name), "tag": TagObject.members.map(\.name),
        "folder": FolderObject.members.map(\.name), "year": YearObject.members.map(\.name),
        "section": SectionObject.members.map(\.name), "date": DateObject.members.map(\.name),
        "heading": HeadingObject.members.map(\.name),
    ]

    /// The filters beyond Jinja's own.
    package static let filters = TemplateFilters.all.keys.sorted()
}
