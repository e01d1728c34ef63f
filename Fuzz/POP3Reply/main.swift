import MartletFuzzDriver
import MartletFuzzOracles

fuzz(POP3ReplyOracle.check)
