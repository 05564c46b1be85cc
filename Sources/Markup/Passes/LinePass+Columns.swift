/// Where a line is read, in bytes and in columns.
extension LinePass {
    mutating func findFirstNonspace() {
        if firstNonspace <= offset {
            firstNonspace = offset
            firstNonspaceColumn = column
            while true {
                switch reader.peek(firstNonspace) {
                case 32: firstNonspaceColumn += 1
                case 9: firstNonspaceColumn += 4 - firstNonspaceColumn % 4
                default:
                    indent = firstNonspaceColumn - column
                    isBlank = firstNonspace >= reader.limit
                    return
                }
                firstNonspace += 1
            }
        }
        indent = firstNonspaceColumn - column
        isBlank = firstNonspace >= reader.limit
    }

    /// Goes on by bytes, or by columns, where a tab may be used in part.
    mutating func advance(_ count: Int, columns: Bool) {
        var count = count
        while count > 0, offset < reader.limit {
            if reader.text[offset] == 9 {
                let width = 4 - column % 4
                if columns {
                    if !partiallyConsumedTab { tabColumn = column }
                    partiallyConsumedTab = width > count
                    let step = min(count, width)
                    column += step
                    if !partiallyConsumedTab { offset += 1 }
                    count -= step
                } else {
                    partiallyConsumedTab = false
                    column += width
                    offset += 1
                    count -= 1
                }
            } else {
                partiallyConsumedTab = false
                offset += 1
                column += 1
                count -= 1
            }
        }
    }

    /// How many columns of the tab at hand belong to what stands before.
    var consumedTabColumns: Int { partiallyConsumedTab ? max(0, column - tabColumn) : 0 }
}
