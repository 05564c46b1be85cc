/// What puts a stale page right without rendering it: it prints fields of notes, uses
/// them for nothing else, and nothing but such fields differs.
struct PageCorrection: Sendable {
    /// Where it prints fields.
    let printed: PrintedFields
    /// The places that differ, by their numbers, ascending.
    let numbers: [Int]
    /// What it read.
    let record: ReadRecord
}
