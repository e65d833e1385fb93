import { Flex } from 'antd'
import type { ReactNode } from 'react'

/** Surface for the content of a screen. */
export const Panel = ({ children }: { children: ReactNode }) => (
  <Flex
    vertical
    gap={12}
    style={{
      padding: 16,
      background: 'var(--ant-color-bg-container)',
      borderRadius: 'var(--ant-border-radius-lg)',
    }}
  >
    {children}
  </Flex>
)
