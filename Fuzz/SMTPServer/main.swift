import MartletFuzzDriver
import MartletFuzzOracles

fuzz(SMTPServerOracle.check)
