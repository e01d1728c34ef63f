import MartletFuzzDriver
import MartletFuzzOracles

fuzz { await DKIMOracle.check($0) }
