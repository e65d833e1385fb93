import { Alert, App, Descriptions, Flex, Form, Input, Table, Typography } from 'antd'
import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { call } from '@iot/shared/client/call'
import {
  DeviceDraft,
  type DeviceSecret,
  productApi,
  ProductDevice,
  type ProductDetail,
} from '@iot/shared/contract/product'
import { currentProjectIdAtom } from '@iot/shared/session/project'
import { column, field } from '@iot/shared/ui/field'
import { FormDialog } from '@iot/shared/ui/formDialog'
import { CreateButton, Toolbar } from '@iot/shared/ui/toolbar'
import { usePage } from '@iot/shared/ui/usePage'
import { Filters, textFilter } from '@iot/shared/ui/filters'

const stateText = { inactive: '未激活', online: '在线', offline: '离线', disabled: '禁用' }

type ProductDevicesProps = { product: ProductDetail; onRegistered: () => void }

/** The devices of a product in the current project. */
export default function ProductDevices({ product, onRegistered }: ProductDevicesProps) {
  const { modal } = App.useApp()
  const projectId = useAtomValue(currentProjectIdAtom)
  const { table, filters, search, saved, sortable } = usePage(productApi.devices, {
    empty: '当前项目里还没有这个产品的设备，点“登记设备”添加',
    create: productApi.register,
    within: { productId: product.id, projectId },
  })
  const [isOpen, setOpen] = useState(false)

  const tell = ({ deviceName, productKey, deviceSecret }: DeviceSecret) =>
    modal.success({
      title: '设备已登记',
      width: 560,
      okText: '已保存好',
      content: (
        <Flex vertical gap={12}>
          <Alert type="warning" showIcon title="DeviceSecret 只显示这一次，请现在复制保存" />
          <Descriptions
            column={1}
            items={Object.entries({ productKey, deviceName, deviceSecret }).map(([key, text]) => ({
              key,
              label: key[0]!.toUpperCase() + key.slice(1),
              children: (
                <Typography.Text code copyable>
                  {text}
                </Typography.Text>
              ),
            }))}
          />
        </Flex>
      ),
    })

  return (
    <Flex vertical gap={16}>
      <Toolbar
        filters={
          <Filters
            filters={filters}
            search={search}
            of={[textFilter('name', '设备名称或 DeviceName', 200)]}
          />
        }
      >
        <CreateButton to={productApi.register} onClick={() => setOpen(true)} />
      </Toolbar>
      <Table<ProductDevice>
        {...table}
        columns={[
          { ...column(ProductDevice, 'name'), ...sortable('name') },
          {
            ...column(ProductDevice, 'deviceName'),
            ...sortable('deviceName'),
            render: (name: string) => <code style={{ fontSize: 12 }}>{name}</code>,
          },
          {
            ...column(ProductDevice, 'state'),
            width: 100,
            render: (state: keyof typeof stateText) => stateText[state],
          },
          { ...column(ProductDevice, 'reportedTime'), width: 180 },
          { ...column(ProductDevice, 'createTime'), width: 180 },
        ]}
      />
      {isOpen && (
        <FormDialog<DeviceDraft>
          title="登记设备"
          schema={DeviceDraft}
          initial={{ name: '', deviceName: '' }}
          send={({ name, deviceName }, _, options) =>
            call(productApi.register, { id: product.id, projectId, name, deviceName }, options)
          }
          onSaved={(made) => {
            tell(made as DeviceSecret)
            saved(made)
            onRegistered()
          }}
          onClose={() => setOpen(false)}
        >
          <Form.Item {...field(DeviceDraft, 'name')}>
            <Input autoFocus maxLength={64} />
          </Form.Item>
          <Form.Item {...field(DeviceDraft, 'deviceName')} extra="设备连接时用，登记后不能修改">
            <Input maxLength={32} />
          </Form.Item>
        </FormDialog>
      )}
    </Flex>
  )
}
