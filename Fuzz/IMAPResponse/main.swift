import MartletFuzzDriver
import MartletFuzzOracles

fuzz(IMAPResponseOracle.check)
