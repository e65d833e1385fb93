// The default of one second is too short on a machine that builds during the tests; passing tests do not wait longer.
import { configure } from '@testing-library/dom'

configure({ asyncUtilTimeout: 60_000 })
