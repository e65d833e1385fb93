import Flex from 'antd/es/flex'
import type { ReactNode } from 'react'

/** Draws the surface that holds the content of a screen. */
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
