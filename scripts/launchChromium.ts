import { chromium as browserType } from 'playwright-core'
import { chromiumFlags } from './chromium'

export const launchChromium = (executablePath: string) =>
  browserType.launch({ executablePath, args: chromiumFlags })
