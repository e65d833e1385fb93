import { createBuildConfig } from '../scripts/build/config.ts'

export default createBuildConfig('system')
