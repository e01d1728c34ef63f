import MartletFuzzDriver
import MartletFuzzOracles

fuzz(SASLServerOracle.check)
