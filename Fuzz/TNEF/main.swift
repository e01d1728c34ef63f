import MartletFuzzDriver
import MartletFuzzOracles

fuzz(TNEFOracle.check)
