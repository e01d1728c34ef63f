import MartletCLI

await Program.start()
