import { NumberInput } from '@iot/shared/ui/numberInput'
import useRequest from 'ahooks/es/useRequest'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Empty from 'antd/es/empty'
import Flex from 'antd/es/flex'
import Form from 'antd/es/form'
import Skeleton from 'antd/es/skeleton'
import Typography from 'antd/es/typography'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { call } from '@iot/shared/client/call'
import type { MapDevice } from '@iot/shared/contract/device/device.schema'
import { deviceApi } from '@iot/shared/contract/device/device.api'
import { devicePermissions } from '@iot/shared/contract/device/devicePermissions'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { planMimeTypes } from '@iot/shared/contract/project/space'
import type { ManagedSpace } from '@iot/shared/contract/project/space.schema'
import { spaceApi } from '@iot/shared/contract/project/space.api'
import { uploadLimits } from '@iot/shared/contract/platform/upload'
import { toFileUrl } from '@iot/shared/contract/platform/siteAddress'
import { paths } from '@iot/shared/screens/paths'
import { useCan } from '@iot/shared/session/can'
import { ImageField } from '@iot/shared/ui/imageField'
import { Can, useRefusalReason } from '@iot/shared/ui/right'
import { ignoreHandled } from '@iot/shared/ui/batch'
import { LoadErrorAlert } from '@iot/shared/ui/usePage'
import * as styles from './project.module.css'

const planFileLimits = { bytes: uploadLimits.bytes, types: planMimeTypes }
type FloorPlanProps = { floor: ManagedSpace; onSaved: () => void; onClose: () => void }

/** Edits the image and the real width of a floor plan, and shows its devices at their positions. */
export default function FloorPlan({ floor, onSaved, onClose }: FloorPlanProps) {
  const planRefusal = useRefusalReason()(spaceApi.setPlan)
  const canViewDevices = useCan()(devicePermissions.view)
  const navigate = useNavigate()
  const { id, projectId, version, name, plan } = floor
  const [metres, setMetres] = useState(floor.metres)
  const devices = useRequest(
    () => call(deviceApi.mapInfo, { projectId, floorId: id }, { inline: true }),
    { ready: canViewDevices, refreshDeps: [id] },
  )
  const placedDevices = Object.values(devices.data?.map ?? {})
  const savePlan = (picture: string | undefined, width = metres) =>
    void call(spaceApi.setPlan, { id, version, picture, metres: width }).then(
      onSaved,
      ignoreHandled,
    )

  return (
    <Drawer
      open
      size={900}
      title={`${name}平面图`}
      extra={
        <Can to={managedDeviceApi.onFloor}>
          <Button onClick={() => void navigate(paths.home({ placing: id }))}>摆放设备</Button>
        </Can>
      }
      onClose={onClose}
      mask={{ closable: true }}
    >
      <Flex vertical gap={16}>
        {planRefusal ? (
          <Typography.Text type="secondary">{planRefusal}</Typography.Text>
        ) : (
          <Form layout="vertical" className={styles.planFields}>
            <Form.Item label="平面图" extra="SVG、PNG 或 JPEG；CAD 图纸（DXF）请先导出为 SVG">
              <ImageField
                purpose="plan"
                isSavedAtOnce
                value={plan ?? ''}
                limits={planFileLimits}
                onChange={(url) => savePlan(url)}
              />
            </Form.Item>
            <Form.Item label="图宽" extra="图的左边到右边在楼里有多少米">
              <NumberInput
                aria-label="图宽（米）"
                suffix="米"
                style={{ width: 140 }}
                value={metres}
                onChange={setMetres}
                onBlur={() => metres !== floor.metres && savePlan(undefined)}
                onPressEnter={({ target }) => (target as HTMLElement).blur()}
              />
            </Form.Item>
          </Form>
        )}
        {devices.error && (
          <LoadErrorAlert
            why={devices.error.message}
            hasRows={!!devices.data}
            onRetry={devices.refresh}
          />
        )}
        {canViewDevices && !devices.data && devices.loading ? (
          <Skeleton active title={false} paragraph={{ rows: 8 }} />
        ) : plan || placedDevices.length > 0 ? (
          <FloorDrawing floor={floor} placedDevices={placedDevices} />
        ) : (
          <Empty
            image={Empty.PRESENTED_IMAGE_SIMPLE}
            description={`${name}还没有平面图，上传后设备可以摆在图上`}
          />
        )}
        {canViewDevices && (
          <Typography.Text type="secondary">
            图上 {placedDevices.length}{' '}
            台设备，蓝色在线，灰色不在线。位置按图的比例记录，换图后设备还在原来的相对位置。
          </Typography.Text>
        )}
      </Flex>
    </Drawer>
  )
}

/** Returns a round length in metres for the scale bar, about a tenth of the plan's width. */
const getScaleBarMetres = (metres: number) =>
  [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].findLast(
    (length) => length <= Math.max(1, metres / 8),
  ) ?? 1

type FloorDrawingProps = { floor: ManagedSpace; placedDevices: MapDevice[] }

/** Draws the plan with its devices and, if the real width is known, a scale bar. */
function FloorDrawing({ floor, placedDevices }: FloorDrawingProps) {
  const { name, plan } = floor
  const width = floor.planWidth ?? 1200
  const height = floor.planHeight ?? 720
  const scaleBarLength = floor.metres ? (width / floor.metres) * getScaleBarMetres(floor.metres) : 0

  return (
    <svg
      className={styles.plan}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${name}平面图，${placedDevices.length} 台设备`}
    >
      {plan && <image href={toFileUrl(plan)} width={width} height={height} />}
      {placedDevices.map((device) => (
        <circle
          key={device.id}
          cx={device.x * width}
          cy={device.y * height}
          r={width / 150}
          fill={device.state === 'online' ? '#1677ff' : '#8c8c8c'}
        >
          <title>{device.name}</title>
        </circle>
      ))}
      {scaleBarLength > 0 && (
        <g stroke="#262626" strokeWidth={width / 600} fill="none">
          <path
            d={`M ${width * 0.02} ${height * 0.96} v ${height * 0.01} h ${scaleBarLength} v ${-height * 0.01}`}
          />
          <text
            x={width * 0.02 + scaleBarLength + width / 100}
            y={height * 0.97}
            fontSize={width / 55}
            fill="#262626"
            stroke="none"
          >
            {getScaleBarMetres(floor.metres!)} m
          </text>
        </g>
      )}
    </svg>
  )
}
