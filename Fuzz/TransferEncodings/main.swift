import MartletFuzzDriver
import MartletFuzzOracles

fuzz(TransferEncodingsOracle.check)
