import { Button, Space } from 'antd'
import { useAtom, useAtomValue } from 'jotai'
import { useEffect } from 'react'
import { userInfoAtom } from '@iot/shared/session/user'
import { findRemoteTitle } from '../remotes'
import { followDevelopment } from './development'
import { preloadRoute } from '../router'
import { warmOnHover } from './hover'
import { formerAtom, updatedAtom } from './news'
import { dropOverride, isSafe, readOverride } from './override'
import { watchReleases } from './watch'
import * as styles from './banners.module.css'

/** Follows releases beside the shell and shows banners about unusual conditions. */
export function Banners() {
  const [updated, setUpdated] = useAtom(updatedAtom)
  const former = useAtomValue(formerAtom)
  // The right to use an override is known only once the user is loaded.
  useAtomValue(userInfoAtom)
  const override = readOverride()
  useEffect(() => watchReleases(), [])
  useEffect(() => warmOnHover(preloadRoute), [])
  const { name, origin } = override ?? {}
  useEffect(() => (name && origin ? followDevelopment(name, origin) : undefined), [name, origin])
  useEffect(() => {
    if (!updated || updated === 'host') return
    const timer = setTimeout(() => setUpdated(undefined), 8000)
    return () => clearTimeout(timer)
  }, [updated, setUpdated])

  return (
    <>
      {isSafe && (
        <div className={styles.banner} role="status">
          安全模式：未加载任何功能模块 <a href={location.pathname}>退出</a>
        </div>
      )}
      {override && (
        <div className={styles.banner} role="status">
          “{findRemoteTitle(override.name)}”来自开发机 {override.origin}{' '}
          <Button size="small" onClick={dropOverride}>
            恢复正式版本
          </Button>
        </div>
      )}
      {former.length > 0 && (
        <div className={styles.banner} role="status">
          {former.map((name) => `“${findRemoteTitle(name)}”`).join('、')}
          的新版本没有加载成功，正在使用上一版本；能加载时会自动换过去。
        </div>
      )}
      {updated && (
        <div className={styles.news} role="status">
          {updated === 'host' ? (
            <Space>
              控制台有新版本{' '}
              <Button size="small" type="link" onClick={() => location.reload()}>
                重新加载
              </Button>
            </Space>
          ) : (
            `“${findRemoteTitle(updated)}”已更新`
          )}
        </div>
      )}
    </>
  )
}
