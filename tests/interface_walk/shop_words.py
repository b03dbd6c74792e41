"""Words that many things in the walk's shop have alike."""

NOTES = {"colour": "green"}
CUSTOMS = {"origin_country": "in", "hs_code": "0902", "mid_code": "IN1", "material": "leaf"}
SIZES = {"weight": 1.5, "length": 20, "height": 3, "width": 10}
STREET = {
    "company": "Lee & Co",
    "address_1": "4 Ropewalk Lane",
    "address_2": "Left",
    "city": "Portland",
    "country_code": "us",
    "province": "us-me",
    "postal_code": "04101",
    "phone": "555-1234",
}
PLACE = {"first_name": "Ann", "last_name": "Lee", **STREET}
