import MartletCLI

Program.prepare()
await Program.start()
