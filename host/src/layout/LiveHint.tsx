import DisconnectOutlined from '@ant-design/icons/DisconnectOutlined'
import Tag from 'antd/es/tag'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { hasTooManyConnectionsAtom, liveStatusAtom } from '@iot/shared/session/live'
import * as styles from './layout.module.css'

/** The hint appears after this time in ms, so that a connection that recovers at once shows none. */
const hintDelayMs = 3000

export function LiveHint() {
  const isDown = useAtomValue(liveStatusAtom) === 'down'
  const isBusy = useAtomValue(hasTooManyConnectionsAtom)
  const [isLongOutage, setLongOutage] = useState(false)
  useEffect(() => {
    if (!isDown) return
    const timer = setTimeout(() => setLongOutage(true), hintDelayMs)
    return () => {
      clearTimeout(timer)
      setLongOutage(false)
    }
  }, [isDown])
  return (
    <span role="status" className={styles.live}>
      {isLongOutage && (
        <Tag color="warning" icon={<DisconnectOutlined />}>
          <span className={styles.wide}>
            {isBusy
              ? '您打开的页面过多，实时数据已暂停，请关闭一些页面'
              : '实时连接已断开，正在重连'}
          </span>
        </Tag>
      )}
    </span>
  )
}
