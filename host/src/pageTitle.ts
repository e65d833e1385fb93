import { useTitle } from 'ahooks'
import { useAtomValue } from 'jotai'
import { systemAtom } from '@iot/shared/session/system'

/** Names the page in its tab: “厂商管理 · 物联云平台”. */
export function usePageTitle(title?: string) {
  const { name } = useAtomValue(systemAtom)
  useTitle(title ? `${title} · ${name}` : name)
}
