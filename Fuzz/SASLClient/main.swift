import MartletFuzzDriver
import MartletFuzzOracles

fuzz(SASLClientOracle.check)
