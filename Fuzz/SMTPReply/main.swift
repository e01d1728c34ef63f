import MartletFuzzDriver
import MartletFuzzOracles

fuzz(SMTPReplyOracle.check)
