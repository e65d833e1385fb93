import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Empty from 'antd/es/empty'
import Skeleton from 'antd/es/skeleton'
import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { paths } from '@iot/shared/screens/paths'
import { floorsReloadAtom, liveReloadAtom, watchedFloorsAtom } from '@iot/shared/session/live'
import { Card } from '@iot/shared/ui/card'
import { useRefusalReason } from '@iot/shared/ui/right'
import { PlacingBoard } from './PlacingBoard'
import * as styles from './placing.module.css'

const { onFloor } = managedDeviceApi

/** Shows home while the devices of a floor are placed on its plan: `/home?placing=<floor>`. */
export default function PlacingScreen({ floorId }: { floorId: string }) {
  const refusal = useRefusalReason()
  const accessRefusal = refusal(devicePermissions.view) ?? refusal(onFloor)
  const setWatchedFloors = useSetAtom(watchedFloorsAtom)
  useEffect(() => {
    setWatchedFloors([floorId])
    return () => setWatchedFloors([])
  }, [floorId, setWatchedFloors])
  const reloads = [useAtomValue(liveReloadAtom), useAtomValue(floorsReloadAtom)]
  const { data, error, refresh } = useRequest(
    () => call(onFloor, { floorId }, { inline: true, handles: [404] }),
    { ready: !accessRefusal, refreshDeps: [floorId, ...reloads], refreshOnWindowFocus: true },
  )

  if (accessRefusal || (error && !data))
    return (
      <Card>
        <Empty
          className={styles.empty}
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={
            accessRefusal
              ? `${accessRefusal}，不能摆放设备；需要时请联系管理员`
              : `没有读到设备：${error?.message}`
          }
        >
          {!accessRefusal && (
            <Button type="primary" onClick={refresh}>
              重试
            </Button>
          )}{' '}
          <Link to={paths.home()}>
            <Button>回首页</Button>
          </Link>
        </Empty>
      </Card>
    )
  if (!data)
    return (
      <Card aria-busy>
        <Skeleton active paragraph={{ rows: 12 }} />
      </Card>
    )
  return <PlacingBoard data={data} failure={error?.message} onRefresh={refresh} />
}
