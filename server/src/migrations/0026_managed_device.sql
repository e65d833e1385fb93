ALTER TABLE "device" ADD COLUMN "create_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "update_by" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "update_time" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "device_id" ON "device" USING btree ("id");--> statement-breakpoint
CREATE INDEX "device_product" ON "device" USING btree ("project_id","product_id");--> statement-breakpoint
CREATE INDEX "device_event_device" ON "device_event" USING btree ("project_id","device_id","time");