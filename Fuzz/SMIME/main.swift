import MartletFuzzDriver
import MartletFuzzOracles

fuzz(SMIMEOracle.check)
