import MartletFuzzDriver
import MartletFuzzOracles

fuzz(MailboxNameOracle.check)
