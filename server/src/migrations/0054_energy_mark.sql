CREATE TABLE "energy_mark" (
	"project_id" integer NOT NULL,
	"time" timestamp with time zone NOT NULL,
	"watt_hours" double precision NOT NULL,
	CONSTRAINT "energy_mark_project_id_time_pk" PRIMARY KEY("project_id","time")
);
