import useEventListener from 'ahooks/es/useEventListener'
import Button from 'antd/es/button'
import { useState } from 'react'
import * as styles from './floorPlan/floorPlan.module.css'
import { toFileUrl } from '../contract/platform/siteAddress'

/**
 * Draws the picture of a floor plan and shows a message if it fails to load, because browsers would show a broken-image
 * sign in its full size.
 */
export function usePicture(href: string | null, size: { width: number; height: number }) {
  const [isLost, setLost] = useState(false)
  useEventListener('online', () => setLost(false))
  return {
    picture: href && !isLost && (
      <image href={toFileUrl(href)} {...size} onError={() => setLost(true)} />
    ),
    lost: isLost && (
      <span role="status" className={styles.lost}>
        没有读到平面图{' '}
        <Button size="small" onClick={() => setLost(false)}>
          重试
        </Button>
      </span>
    ),
  }
}
