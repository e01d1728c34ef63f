import MartletFuzzDriver
import MartletFuzzOracles

fuzz(IMAPCommandOracle.check)
