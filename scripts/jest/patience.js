// One second, the usual, is short where a machine builds beside its tests; what comes is not waited for.
import { configure } from '@testing-library/dom'

configure({ asyncUtilTimeout: 60_000 })
