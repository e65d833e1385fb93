import Button from 'antd/es/button'
import Descriptions from 'antd/es/descriptions'
import Divider from 'antd/es/divider'
import Flex from 'antd/es/flex'
import { useNavigate, useParams } from 'react-router-dom'
import { managedDeviceApi } from '@iot/shared/contract/device/managedDevice.api'
import { componentText } from '@iot/shared/contract/device/network'
import { NetworkClientDetail } from '@iot/shared/contract/device/network.schema'
import { networkApi } from '@iot/shared/contract/device/network.api'
import { nodeText } from '@iot/shared/contract/product/product'
import { productApi } from '@iot/shared/contract/product/product.api'
import { paths } from '@iot/shared/screens/paths'
import { buildFieldItems, formatValue, renderCode } from '@iot/shared/ui/field'
import { Panel } from '@iot/shared/ui/panel'
import { RecentActions } from '@iot/shared/ui/recentActions'
import { DeviceRefusals } from '@iot/shared/ui/refusalList'
import { Can, RowLink } from '@iot/shared/ui/right'
import { DetailColumns, DetailHead, useDetail } from '@iot/shared/ui/useDetail'
import { ClientCommands, ClientIncidents, ClientMessages } from './ClientActivity'
import { ClientStateText } from './ClientStateText'
import { explainNotConnected, useKick } from './useKick'

/** Shows how a device is connected, what it sent and received last, and why it was refused. */
export function Component() {
  const { id = '' } = useParams()
  const { row, frame: renderLoaded, refresh } = useDetail(networkApi.get, id)
  const kick = useKick(refresh)
  const navigate = useNavigate()

  return (
    <Panel>
      {renderLoaded(
        row && (
          <Flex vertical gap={16}>
            <DetailHead
              name={row.name}
              code={row.deviceName}
              actions={
                <>
                  <Can to={managedDeviceApi.get}>
                    <Button onClick={() => void navigate(`${paths.deviceAccess.device()}/${id}`)}>
                      设备详情
                    </Button>
                  </Can>
                  <Can to={networkApi.kick} unless={explainNotConnected(row)}>
                    <Button danger onClick={() => kick(row)}>
                      断开
                    </Button>
                  </Can>
                </>
              }
            >
              <ClientStateText state={row.state} />
            </DetailHead>
            <ClientFacts client={row} />
            <Divider style={{ margin: 0 }} />
            <DeviceRefusals {...row} />
            <DetailColumns
              main={
                <>
                  <ClientMessages id={id} />
                  <ClientCommands id={id} />
                </>
              }
              aside={
                <>
                  <ClientIncidents id={id} />
                  <RecentActions of={{ entityId: id }} />
                </>
              }
            />
          </Flex>
        ),
      )}
    </Panel>
  )
}

const protocolNames: Record<number, string> = { 3: 'MQTT 3.1', 4: 'MQTT 3.1.1', 5: 'MQTT 5' }

function ClientFacts({ client }: { client: NetworkClientDetail }) {
  const { connection, children, node } = client
  const fieldTexts = {
    projectName: formatValue(client.projectName),
    productName: (
      <RowLink
        to={productApi.get}
        at={`${paths.deviceAccess.config.product()}/${client.productId}`}
        name={client.productName}
      />
    ),
    productKey: renderCode(client.productKey),
    node: nodeText[node],
    address: formatValue(client.address),
    onlineTime: formatValue(client.onlineTime),
    reportedTime: formatValue(client.reportedTime),
    ...(node === 'gateway' && { children: `${children.online} / ${children.total} 台在线` }),
  }
  const connectionTexts = connection && {
    transport: componentText[connection.transport],
    protocolVersion: protocolNames[connection.protocolVersion] ?? connection.protocolVersion,
    cleanSession: connection.cleanSession ? '断开后不保留' : '断开后保留',
  }
  const connectionShape = NetworkClientDetail.shape.connection.unwrap()
  return (
    <Descriptions
      size="small"
      column={{ xs: 1, sm: 2, lg: 3 }}
      items={[
        ...buildFieldItems(NetworkClientDetail, fieldTexts),
        ...buildFieldItems(connectionShape, connectionTexts ?? {}),
      ]}
    />
  )
}
