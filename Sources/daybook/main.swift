import Commands

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

// Leaving by `exit` spares the program what ends a main actor.
exit(Program.run(Array(CommandLine.arguments.dropFirst())))
