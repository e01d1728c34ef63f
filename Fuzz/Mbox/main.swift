import MartletFuzzDriver
import MartletFuzzOracles

fuzz(MboxOracle.check)
