import MartletCLI

Program.prepare()

// `martlet sandbox …` runs this program: no other command needs the HTTP library.
await Program.start(as: ["sandbox"], replacing: ["sandbox": SandboxRun.run])
