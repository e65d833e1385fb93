import { useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { systemAtom } from '@iot/shared/session/system'

/** Sets the tab title, for example “厂商管理 · 物联云平台”. */
export function usePageTitle(title?: string) {
  const { name } = useAtomValue(systemAtom)
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}
