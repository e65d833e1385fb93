CREATE TABLE "property_history" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"identifier" text NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"value" jsonb NOT NULL,
	CONSTRAINT "property_history_project_id_device_id_identifier_time_pk" PRIMARY KEY("project_id","device_id","identifier","time")
);
--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "via" uuid;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "reported_at" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "device" ADD COLUMN "stale" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "property_history_time" ON "property_history" USING btree ("time");--> statement-breakpoint
CREATE INDEX "device_via" ON "device" USING btree ("project_id","via");--> statement-breakpoint
UPDATE "device" SET "reported_at" = (SELECT jsonb_object_agg(key, floor(extract(epoch FROM "reported_time") * 1000)) FROM jsonb_each("reported")) WHERE "reported" <> '{}' AND "reported_time" IS NOT NULL;
