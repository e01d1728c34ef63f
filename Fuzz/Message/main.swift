import MartletFuzzDriver
import MartletFuzzOracles

fuzz(MessageOracle.check)
