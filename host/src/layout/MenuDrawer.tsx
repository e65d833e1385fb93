import Drawer from 'antd/es/drawer'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { systemAtom } from '@iot/shared/session/system'
import * as styles from './layout.module.css'

export default function MenuDrawer({
  onClose,
  children,
}: {
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Drawer
      open
      placement="left"
      size={264}
      title={useAtomValue(systemAtom).name}
      onClose={onClose}
      styles={{ section: { background: 'var(--ant-color-bg-container)' }, body: { padding: 8 } }}
    >
      <div className={styles.menu}>{children}</div>
    </Drawer>
  )
}
