import MartletCLI

Program.prepare()

// `martlet frontmail …` runs this program: linking what URLSession needs would slow every other command down.
await Program.start(
    as: ["frontmail"],
    replacing: ["frontmail send": FrontmailSend.run, "frontmail status": FrontmailStatus.run])
