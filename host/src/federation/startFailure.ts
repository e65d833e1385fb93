import { asLoadFailure } from './failure'
import { repairShares } from './sharePlugin'

/**
 * Starts the console. If its first files do not load, the text that the page holds for this case is shown at once, with
 * the reason and a button that tries again; nothing else of the console can run then.
 */
export function start(load: () => Promise<unknown>) {
  load().catch((error: unknown) =>
    showFailure(error, () => void repairShares().then(() => start(load))),
  )
}

function showFailure(error: unknown, onRetry: () => void) {
  const late = document.querySelector<HTMLElement>('.late')
  // The console has already started if this element is gone, and it reports its own errors.
  if (!late) throw error
  const { detail, file } = asLoadFailure(error)
  const reason = late.querySelector('.reason') ?? document.createElement('p')
  reason.className = 'reason'
  reason.textContent = `原因：${detail}${file ? `（${file.split('/').at(-1)}）` : ''}`
  const button = late.querySelector('button') ?? document.createElement('button')
  button.textContent = '重试'
  button.onclick = onRetry
  late.append(reason, button)
  late.style.animationDelay = '0s'
}
