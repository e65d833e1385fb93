ALTER TABLE "device" ADD COLUMN "wishes" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "control_ledger_device" ON "control_ledger" USING btree ("project_id","device_id","task_id");--> statement-breakpoint
UPDATE "device" SET "desired" = '{}' WHERE "desired" <> '{}';--> statement-breakpoint
UPDATE "task" SET "counts" = '{"confirmed":0,"unknown":0,"overridden":0}'::jsonb || "counts" WHERE "kind" = 'control';
