CREATE TABLE "energy_day" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"day" date NOT NULL,
	"on_seconds" double precision DEFAULT 0 NOT NULL,
	"off_seconds" double precision DEFAULT 0 NOT NULL,
	"reckoned" double precision,
	"measured" double precision,
	CONSTRAINT "energy_day_project_id_device_id_day_pk" PRIMARY KEY("project_id","device_id","day")
);
--> statement-breakpoint
CREATE TABLE "energy_run" (
	"project_id" integer NOT NULL,
	"device_id" uuid NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"look" text NOT NULL,
	"watts" double precision,
	"is_measured" boolean NOT NULL,
	"counter" double precision,
	"life_seconds" double precision DEFAULT 0 NOT NULL,
	"replaced_time" timestamp with time zone,
	"replaced_by" text DEFAULT '' NOT NULL,
	CONSTRAINT "energy_run_project_id_device_id_pk" PRIMARY KEY("project_id","device_id")
);
--> statement-breakpoint
ALTER TABLE "energy_day" ADD CONSTRAINT "energy_day_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "energy_run" ADD CONSTRAINT "energy_run_device" FOREIGN KEY ("project_id","device_id") REFERENCES "public"."device"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "energy_day_day" ON "energy_day" USING btree ("project_id","day");--> statement-breakpoint
CREATE INDEX "energy_run_since" ON "energy_run" USING btree ("since");